// SPDX-License-Identifier: MIT

/// Those who have to hear of one change, in the order in which they subscribed.
@usableFromInline
struct Audience {
    let change: Change
    /// The first of them, apart: where there is only one, as for most rows, there is no list.
    private let first: Subscriber?
    /// The others, with holes.
    private let others: [Subscriber?]

    @usableFromInline
    init(of change: Change, first: Subscriber? = nil, others: [Subscriber?]) {
        self.change = change
        self.first = first
        self.others = others
    }

    /// Calls `body` with each of them.
    func forEach(_ body: (Subscriber, Change) -> Void) {
        if let first { body(first, change) }
        for case let other? in others { body(other, change) }
    }
}

extension [Audience] {
    /// Calls `body` with the members of all audiences, in the order in which they subscribed.
    func forEachMember(_ body: (Subscriber, Change) -> Void) {
        if count == 1 { return self[0].forEach(body) }
        var calls: [(Subscriber, Change)] = []
        for audience in self { audience.forEach { calls.append(($0, $1)) } }
        for (member, change) in calls.sorted(by: { $0.0.order < $1.0.order }) {
            body(member, change)
        }
    }
}
