// SPDX-License-Identifier: MIT

/// An app's state with a route in it.
public protocol HasNavigationState {
    /// The part that says what is shown.
    var navigationState: NavigationState { get set }
}
