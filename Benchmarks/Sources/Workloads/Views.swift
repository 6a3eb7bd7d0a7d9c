// SPDX-License-Identifier: MIT

import Onward

struct Ranked: Sendable, Identifiable, Equatable {
    let id: Int
    var rank: Int
    var isHidden = false
    var visits = 0
}

struct RankedState: Sendable {
    var rows: EntityTable<Ranked> = []
}

/// Changes one row: something that the view only shows, or what decides where and whether it stands.
struct RankAction: Action {
    enum Kind { case visit, rank }

    let kind: Kind
    let id: Int
    let rank: Int

    /// Step `step` of a walk over `count` rows.
    init(_ kind: Kind, step: Int, of count: Int) {
        self.kind = kind
        // Steps of a prime visit all rows; Knuth's multiplicative hash scatters the ranks.
        id = step &* 7_919 % count
        rank = step &* 2_654_435_761 % 1_000_003
    }

    func change(_ row: inout Ranked) {
        row.visits += 1
        guard kind == .rank else { return }
        row.rank = rank
        if rank % 4 == 0 { row.isHidden.toggle() }
    }
}

func makeRanked(_ count: Int) -> Store<RankedState> {
    var state = RankedState()
    for row in rankedRows(count) { state.rows.append(row) }
    return Store(state) {
        Scope(
            \.rows,
            Feature<EntityTable<Ranked>> {
                Reduce { (rows: inout EntityTable<Ranked>, action: RankAction) in
                    rows.update(id: action.id) { action.change(&$0) }
                }
            })
    }
}

private func rankedRows(_ count: Int) -> [Ranked] {
    (0..<count).map { Ranked(id: $0, rank: RankAction(.rank, step: $0, of: count).rank) }
}

/// What someone would write by hand for one purpose: the visible rows as one sorted array.
private struct SortedByHand {
    private struct Place: Comparable {
        let rank: Int
        let id: Int

        static func < (left: Place, right: Place) -> Bool {
            (left.rank, left.id) < (right.rank, right.id)
        }
    }

    private var rows: [Ranked]
    private var visible: [Place]

    init(_ count: Int) {
        rows = rankedRows(count)
        visible = rows.map { Place(rank: $0.rank, id: $0.id) }.sorted()
    }

    mutating func apply(_ action: RankAction) {
        let old = rows[action.id]
        action.change(&rows[action.id])
        let new = rows[action.id]
        guard (new.rank, new.isHidden) != (old.rank, old.isHidden) else { return }
        if !old.isHidden { visible.remove(at: position(Place(rank: old.rank, id: old.id))) }
        let place = Place(rank: new.rank, id: new.id)
        if !new.isHidden { visible.insert(place, at: position(place)) }
    }

    private func position(_ place: Place) -> Int {
        var (low, high) = (0, visible.count)
        while low < high {
            let middle = (low + high) / 2
            if visible[middle] < place { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension Workload {
    /// A filtered and sorted view of many rows, one of which changes.
    ///
    /// Its reader asks for the view after each change, or is given the old and the new one, so that the
    /// old one is kept and what changes has to be copied.
    static func view(
        _ count: Int, _ kind: RankAction.Kind, isNotified: Bool = false, _ name: String
    ) -> Workload {
        let change = kind == .rank ? "move, hide or show one row" : "change one row in its place"
        let reader = isNotified ? "notify old and new" : "read"
        return Workload(
            name, "a filtered, sorted view of \(count) rows; \(change), \(reader)",
            budget: isNotified ? "–" : "≤ 10 µs",
            limit: {
                let limit = Limit(SortedByHand(count))
                return { steps in
                    for step in 0..<steps {
                        limit.withState { $0.apply(RankAction(kind, step: step, of: count)) }
                    }
                }
            }
        ) {
            let store = makeRanked(count)
            let token = isNotified ? store.subscribe(.selector(rankedView)) { _, _ in } : nil
            // The first one is made from all rows.
            var rows = store.value(of: .selector(rankedView)).count
            return { steps in
                for step in 0..<steps {
                    store.dispatch(RankAction(kind, step: step, of: count))
                    if !isNotified { rows = store.value(of: .selector(rankedView)).count }
                }
                withExtendedLifetime((token, rows)) {}
            }
        }
    }
}

private let rankedView = StateSelector<RankedState, EntityTable<Ranked>>(\.rows)
    .filter { !$0.isHidden }
    .sorted { $0.rank < $1.rank }

/// The same view, put together anew from all rows after each change.
public final class ViewFromScratch {
    private let store: Store<RankedState>
    private var step = 0

    /// A store of `count` rows.
    public init(_ count: Int) {
        store = makeRanked(count)
    }

    /// Changes a row and makes the view; returns how many rows it has.
    public func next() -> Int {
        step += 1
        store.dispatch(RankAction(.rank, step: step, of: store.state.rows.count))
        return store.state.rows.filter { !$0.isHidden }.sorted { $0.rank < $1.rank }.count
    }
}
