// SPDX-License-Identifier: MIT

/// The subscribers that have to be notified of one change of a row, in the order in which they
/// subscribed.
@usableFromInline
struct PendingNotification {
    let change: Change
    /// The first of them, kept apart: usually there is only one, and so no list.
    private let first: Subscriber
    private let others: [Subscriber]

    @usableFromInline
    init(of change: Change, first: Subscriber, others: [Subscriber]) {
        self.change = change
        self.first = first
        self.others = others
    }

    /// Calls `body` with each of them.
    @usableFromInline
    func forEach(_ body: (Subscriber, Change) -> Void) {
        body(first, change)
        for other in others { body(other, change) }
    }

    /// Calls `body` with the members of all notifications, in the order in which they subscribed.
    @usableFromInline
    static func forEachMember(
        of notifications: [PendingNotification], _ body: (Subscriber, Change) -> Void
    ) {
        var calls: [(subscriber: Subscriber, change: Change)] = []
        for notification in notifications { notification.forEach { calls.append(($0, $1)) } }
        for (subscriber, change) in calls.sorted(by: { $0.0.order < $1.0.order }) {
            body(subscriber, change)
        }
    }
}
