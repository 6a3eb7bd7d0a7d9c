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
    /// The type of the routes that lead to such screens.
    associatedtype Route: Equatable & Sendable

    /// Creates the state of a screen that a route has just led to.
    ///
    /// Called by reducers under the store's lock; must be pure.
    init(at route: Route)
}
