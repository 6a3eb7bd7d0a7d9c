// SPDX-License-Identifier: MIT

import Onward

/// What a subscription must at least do: an entry in a table, and a token that finds it again when it
/// is cancelled or let go of.
private final class Subscribers {
    private var bodies: [Int: (Int, Int) -> Void] = [:]
    private var last = 0

    func add(_ body: @escaping (Int, Int) -> Void) -> Int {
        last += 1
        bodies[last] = body
        return last
    }

    func remove(_ id: Int) { bodies[id] = nil }
}

private final class Token {
    private let subscribers: Limit<Subscribers>
    private var id: Int?

    init(_ id: Int, in subscribers: Limit<Subscribers>) {
        self.id = id
        self.subscribers = subscribers
    }

    deinit { cancel() }

    func cancel() {
        guard let id else { return }
        self.id = nil
        subscribers.withState { $0.remove(id) }
    }
}

extension Workload {
    static let subscribeAndCancel = Workload(
        "W6", "subscribe, then cancel, 10,000 subscribers (per pair)", budget: "≤ 2 × limit",
        limit: {
            let limit = Limit(Subscribers())
            return { count in
                for _ in 0..<max(count / 10_000, 1) {
                    let tokens = (0..<10_000).map { index in
                        Token(limit.withState { $0.add { _, _ in _ = index } }, in: limit)
                    }
                    for token in tokens { token.cancel() }
                }
            }
        }
    ) {
        let store = makeCounter()
        return { count in
            for _ in 0..<max(count / 10_000, 1) {
                let tokens = (0..<10_000).map { index in
                    store.subscribe(\.other) { _, _ in _ = index }
                }
                for token in tokens { token.cancel() }
            }
        }
    }
}
