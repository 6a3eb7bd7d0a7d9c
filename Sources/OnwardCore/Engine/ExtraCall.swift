// SPDX-License-Identifier: MIT

/// A call that is due apart from any commit.
final class ExtraCall: DeliveryPart {
    private let call: @Sendable () -> Void

    init(_ call: @escaping @Sendable () -> Void) {
        self.call = call
    }

    func notifyBeforeSubscribers(_ context: DeliveryContext) {}

    func notifyAfterSubscribers(_ context: DeliveryContext, on here: (any Actor)?) { call() }
}

extension Engine {
    /// Has what waits for a subscriber notified by the deliverer, or by another thread if there is none.
    func callLater(_ subscriber: Subscriber) {
        let mustResume = withLock { locked in
            addCall({ if subscriber.begin() { subscriber.end() } }, locked)
        }
        if mustResume { Task.detached { self.resumeDelivering() } }
    }

    /// Has a call made by the deliverer; true when some thread has to resume delivering.
    func addCall(
        _ call: @escaping @Sendable () -> Void, _ locked: borrowing Locked
    ) -> Bool {
        let context = DeliveryContext(
            version: locked.state.version, lastListener: locked.state.index.lastOrder)
        let mustResume = locked.state.deliveryQueue.append(
            apart: Delivery(context, parts: [ExtraCall(call)]))
        if mustResume { locked.state.callbacksInProgress += 1 }
        return mustResume
    }
}
