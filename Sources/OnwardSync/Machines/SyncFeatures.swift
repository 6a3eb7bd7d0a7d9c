// SPDX-License-Identifier: MIT

package import Onward

/// What the machine of a client needs of a store's features.
package protocol SyncFeatures: Sendable {
    associatedtype State: Sendable
    /// An action that was read.
    associatedtype ReadAction: Sendable

    /// Reads an action; nil if this program can't.
    func read(_ action: SyncAction) -> ReadAction?

    /// Does with an action that is not confirmed what the server would do.
    ///
    /// - Returns: False if a check refuses it; then the state is what it was.
    func decide(_ action: ReadAction, on state: inout State) -> Bool

    /// Does what an entry of the log says, without asking checks.
    func reduce(_ action: ReadAction, into state: inout State)

    /// An own action with what the server gave its reducers.
    func confirmed(_ action: ReadAction, time: Timestamp?, author: String?) -> ReadAction

    /// Whether what the server gives the reducers may change what comes of the action.
    func dependsOnStamp(_ action: ReadAction) -> Bool

    /// Whether an action that was dispatched right after another one stands for both.
    func replaces(_ action: ReadAction, _ earlier: ReadAction) -> Bool

    /// Reads a state that a server has sent; nil if this program can't.
    func state(of bytes: [UInt8], schema: Int) -> State?

    /// Whether the client sees a part of the state, whose changes cost no more than they are.
    var isPartial: Bool { get }

    /// Takes over what has changed in the view of the client, or in the state.
    ///
    /// - Returns: False if this program can't read it.
    func apply(_ changes: [SyncChange], to state: inout State) -> Bool
}
