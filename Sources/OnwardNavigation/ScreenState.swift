// SPDX-License-Identifier: MIT

/// The state of a screen on a ``ScreenStack``, which begins when a route leads to the screen.
///
/// Usually an enum with a case for each kind of screen:
///
/// ```swift
/// enum Screen: ScreenState {
///     case menu, album(Album)
///
///     init(at page: Page) {
///         switch page {
///         case .menu: self = .menu
///         case .album(let id): self = .album(Album(id: id))
///         }
///     }
/// }
/// ```
public protocol ScreenState: Sendable {
    /// What leads to such screens.
    associatedtype Route: Equatable & Sendable

    /// The state of a screen that a route has just led to.
    ///
    /// Called by reducers: pure, and under the store's lock.
    init(at route: Route)
}
