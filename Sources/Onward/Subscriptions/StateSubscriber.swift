// SPDX-License-Identifier: MIT

/// An object that is told of a value in a store, and that the store does not keep alive.
///
/// For code that subscribes with objects instead of closures, such as view controllers:
/// `store.subscribe(self, to: \.game.moves)`. When the object goes, so does its subscription.
public protocol StateSubscriber<Value>: AnyObject, Sendable {
    /// The value it is told of.
    associatedtype Value: Sendable

    /// Takes a new value; called by the thread that delivers.
    func newState(_ state: Value)
}
