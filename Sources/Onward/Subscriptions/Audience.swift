// SPDX-License-Identifier: MIT

/// Those who have to hear of one change, in the order in which they subscribed, with holes.
@usableFromInline
struct Audience {
    let change: Change
    let members: [Subscriber?]

    @usableFromInline
    init(of change: Change, _ members: [Subscriber?]) {
        self.change = change
        self.members = members
    }

    /// Goes through the members of several audiences in the order in which they subscribed.
    static func forEach(in audiences: [Audience], _ body: (Subscriber, Change) -> Void) {
        if audiences.count == 1 {
            for case let member? in audiences[0].members { body(member, audiences[0].change) }
            return
        }
        let calls = audiences.flatMap { audience in
            audience.members.lazy.compactMap(\.self).map { ($0, audience.change) }
        }
        for (member, change) in calls.sorted(by: { $0.0.order < $1.0.order }) {
            body(member, change)
        }
    }
}
