// SPDX-License-Identifier: MIT

import Onward

struct RowItem: Sendable, Identifiable, Equatable {
    let id: Int
    var isDone = false
}

struct TableState: Sendable {
    var rows: EntityTable<RowItem> = []
}

enum TableAction: Action { case toggle(Int) }

func makeTable(_ count: Int) -> Store<TableState> {
    var state = TableState()
    for id in 0..<count { state.rows.append(RowItem(id: id)) }
    return Store(state) {
        Scope(
            \.rows,
            Feature<EntityTable<RowItem>> {
                Reduce { (rows: inout EntityTable<RowItem>, action: TableAction) in
                    switch action {
                    case .toggle(let id): rows.update(id: id) { $0.isDone.toggle() }
                    }
                }
            })
    }
}

extension Workload {
    static let rowOfTable = Workload(
        "W3T", "toggle one of 10,000 rows of an EntityTable", budget: "≤ 1 µs",
        limit: {
            let limit = Limit(ListState())
            return { count in
                for index in 0..<count {
                    limit.withState { reduceList(&$0.items, .toggle(index % 10_000)) }
                }
            }
        }
    ) {
        let store = makeTable(10_000)
        return { count in
            for index in 0..<count { store.dispatch(TableAction.toggle(index % 10_000)) }
        }
    }

    /// T1: one of a million rows, scattered; the limit is an array of them.
    static func rowOfMillion(_ name: String, from caller: Caller = .nowhere) -> Workload {
        Workload(
            name,
            "toggle one of 1,000,000 rows of an EntityTable, scattered"
                + caller.suffix,
            budget: "≤ 400 ns",
            limit: {
                let limit = Limit((0..<1_000_000).map { RowItem(id: $0) })
                return { count in
                    for index in 0..<count {
                        let id = scattered(index)
                        limit.withState { $0[id].isDone.toggle() }
                    }
                }
            }
        ) {
            let store = makeTable(1_000_000)
            return { count in
                caller.dispatch(to: store, times: count) { TableAction.toggle(scattered($0)) }
            }
        }
    }

    /// T2: a table of a million rows, made of an array; per row, and until the table is released.
    static let tableOfMillion = Workload(
        "T2", "build an EntityTable of 1,000,000 rows from an array, per row", budget: "≤ 300 ns",
        period: 1_000_000,
        limit: {
            // What someone would write by hand: the rows, and where each id is.
            let rows = (0..<1_000_000).map { RowItem(id: $0) }
            return { count in
                for _ in 0..<count / rows.count {
                    var positions: [Int: Int] = [:]
                    for (position, row) in rows.enumerated() { positions[row.id] = position }
                    precondition(positions.count == rows.count)
                }
            }
        }
    ) {
        let rows = (0..<1_000_000).map { RowItem(id: $0) }
        return { count in
            for _ in 0..<count / rows.count {
                precondition((try? EntityTable(rows))?.count == rows.count)
            }
        }
    }

    /// A position among a million, far from the ones before.
    @inline(__always)
    private static func scattered(_ index: Int) -> Int { index &* 618_033 % 1_000_000 }

    /// W4 with a number of rows: one subscriber on each, one row is toggled.
    static func watchedRows(
        _ rows: Int, _ name: String, on actor: Caller = .nowhere, from caller: Caller = .nowhere
    ) -> Workload {
        Workload(
            name,
            "\(rows) subscribers, each on its own row"
                + (actor == .mainActor ? " and on the main actor" : "") + "; toggle one"
                + caller.suffix,
            budget: actor == .mainActor ? "≤ 700 ns" : "≤ 1.5 µs",
            limit: {
                // What someone would write by hand: a closure per row, found by its id.
                let limit = Limit((0..<rows).map { RowItem(id: $0) })
                var listeners: [Int: (RowItem) -> Void] = [:]
                for id in 0..<rows { listeners[id] = { _ in } }
                return { [listeners] count in
                    for index in 0..<count {
                        let id = index % rows
                        let row = limit.withState { items in
                            items[id].isDone.toggle()
                            return items[id]
                        }
                        listeners[id]?(row)
                    }
                }
            }
        ) {
            let store = makeTable(rows)
            let tokens = (0..<rows).map { id in
                actor == .mainActor
                    ? store.subscribe(.row(\.rows, id: id)) { @MainActor _, _ in }
                    : store.subscribe(.row(\.rows, id: id)) { _, _ in }
            }
            return { count in
                caller.dispatch(to: store, times: count) { TableAction.toggle($0 % rows) }
                withExtendedLifetime(tokens) {}
            }
        }
    }
}
