// SPDX-License-Identifier: MIT

import Onward

/// What a subscription must at least do: an entry in a table, and a token that finds it again when it
/// is cancelled or released.
///
/// The closures capture a number, as those of the store do.
private final class Subscribers {
    private var bodies: [Int: (Int, Int) -> Void] = [:]
    private var last = 0

    func add(_ body: @escaping (Int, Int) -> Void) -> Int {
        last += 1
        bodies[last] = body
        return last
    }

    var isEmpty: Bool { bodies.isEmpty }

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

private final class RowToken {
    private let rows: Limit<[Int: Subscribers]>
    private let row: Int
    private var id: Int?

    init(_ id: Int, of row: Int, in rows: Limit<[Int: Subscribers]>) {
        self.id = id
        self.row = row
        self.rows = rows
    }

    deinit { cancel() }

    func cancel() {
        guard let id else { return }
        self.id = nil
        rows.withState { rows in
            rows[row]?.remove(id)
            if rows[row]?.isEmpty == true { rows[row] = nil }
        }
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
                        Token(limit.withState { $0.add { _, _ in keep(index) } }, in: limit)
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
                    store.subscribe(\.other) { _, _ in keep(index) }
                }
                for token in tokens { token.cancel() }
            }
        }
    }

    static let subscribeToRows = Workload(
        "W6R", "subscribe, then cancel, on each of 10,000 rows (per pair)", budget: "≤ 600 ns",
        limit: {
            // What someone would write by hand: those of a row, found by its id.
            let limit = Limit([Int: Subscribers]())
            return { count in
                for _ in 0..<max(count / 10_000, 1) {
                    let tokens = (0..<10_000).map { row in
                        RowToken(
                            limit.withState { rows in
                                { $0.add { _, _ in keep(row) } }(&rows[row, default: Subscribers()])
                            }, of: row, in: limit)
                    }
                    for token in tokens { token.cancel() }
                }
            }
        }
    ) {
        let store = makeTable(10_000)
        return { count in
            for _ in 0..<max(count / 10_000, 1) {
                let tokens = (0..<10_000).map { id in
                    store.subscribe(.row(\.rows, id: id)) { _, _ in keep(id) }
                }
                for token in tokens { token.cancel() }
            }
        }
    }
}
