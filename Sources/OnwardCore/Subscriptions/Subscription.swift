// SPDX-License-Identifier: MIT

/// A token for being notified of changes; cancelling or releasing it ends the calls.
///
/// After a cancellation on the delivering thread, or on the subscriber's actor, no further call
/// follows. From elsewhere, at most the one call already under way continues; ``cancelAndWait()``
/// waits for its end.
///
/// A token does not keep its store alive or, once cancelled, the closure to be called.
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

    /// Ends the calls; cancelling again does nothing.
    ///
    /// Call it from any thread, even from inside the subscriber's call.
    ///
    /// - Complexity: O(1) on average.
    public func cancel() {
        listener.cancel()
    }

    /// Ends the calls and returns when none is under way.
    ///
    /// Don't await it in code that the subscriber's own call waits for.
    public func cancelAndWait() async {
        listener.cancel()
        await listener.rest()
    }
}
