// SPDX-License-Identifier: MIT

internal import Onward

/// What subscribers ask of the store that notifies them: nothing that depends on the type of its state.
protocol SubscribedStore: AnyObject, Sendable {
    /// The delivery that the current thread is making; nil outside of one.
    var delivery: DeliveryMark? { get }
    /// How many calls may wait for a subscriber.
    var waitingCommits: Int { get }
    /// Makes a call that is due apart from any delivery, or was left over from one.
    func call(as mark: DeliveryMark, _ body: () -> Void)
    /// Says that something is still to be called, which `waitUntilIdle()` waits for.
    func beginCallback()
    /// Ends what `beginCallback` began.
    func endCallback()
    /// Has a call made by the holder of the turn, one at a time with all rounds.
    func callInTurn(_ call: @escaping @Sendable () -> Void)
}

extension Store: SubscribedStore {}
