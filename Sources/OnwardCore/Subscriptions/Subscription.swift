// SPDX-License-Identifier: MIT

/// A token for being notified of changes: cancel it, or release it, and the calls end.
///
/// After a cancellation on the thread that is delivering, or on the subscriber's actor, no
/// further call follows. From elsewhere, at most the one call that is already under way goes on;
/// ``cancelAndWait()`` waits for its end.
///
/// A token keeps neither its store alive nor, once cancelled, the closure that was to be called.
public final class Subscription: Sendable {
    package let listener: Listener

    init(_ listener: Listener) {
        self.listener = listener
    }

    /// The token of a listener that was not registered.
    static func refused(_ listener: Listener) -> Subscription {
        listener.cancel()
        return Subscription(listener)
    }

    deinit {
        listener.cancel()
    }

    /// Ends the calls; cancelling twice does nothing.
    ///
    /// From any thread, even from inside the call.
    ///
    /// - Complexity: O(1) on average.
    public func cancel() {
        listener.cancel()
    }

    /// Ends the calls and returns when none is under way any more.
    ///
    /// Don't await it in something that the subscriber's own call waits for.
    public func cancelAndWait() async {
        listener.cancel()
        await listener.rest()
    }
}
