// SPDX-License-Identifier: MIT

/// An object that is notified of a value in a store, and that the store does not keep alive.
///
/// For code that subscribes with objects instead of closures, such as view controllers:
/// `subscribe(to: .path(\.game.moves), of: store)`. When the object goes, so does its subscription.
///
/// An object of the main actor says so in its conformance, and is notified there:
///
/// ```swift
/// @MainActor final class Screen: @MainActor StateSubscriber {
///     func newState(_ moves: Int) { label.text = "\(moves)" }
/// }
/// ```
///
/// Where the compiler infers this (`InferIsolatedConformances`, as in modules that are on the main actor
/// by default), `class Screen: StateSubscriber` is enough. An object that is `Sendable` by itself is notified
/// by the thread that delivers.
public protocol StateSubscriber<Value>: AnyObject {
    /// The value it is notified of.
    associatedtype Value: Sendable

    /// Takes a new value.
    func newState(_ state: Value)
}
