// SPDX-License-Identifier: MIT

internal import Onward
public import OnwardBridge

/// The store that ``Subscriptions`` belong to; loaded outside the lock, where it may be released.
@usableFromInline
final class Attachment: Sendable {
    @usableFromInline weak let store: (any AnyObject & Sendable)?
    @usableFromInline let thread: DeliveryThread

    init<State>(_ store: Store<State>) {
        self.store = store.onward
        thread = store.thread
    }
}
