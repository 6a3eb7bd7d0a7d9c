// SPDX-License-Identifier: MIT

import Onward

/// Calls the overload of `subscribe` that fits how a listener subscribes.
struct SubscribeCall: Sendable {
    let initially: Bool
    let isMain: Bool
    let screen: Screen?
    let here: (any Actor)?
    let notify: @Sendable (Int, Int) -> Void

    /// Subscribes; nil when there is nothing to subscribe to.
    func listen(to selection: Selection, of store: Store<World>) -> Subscription? {
        switch selection {
        case .x: path(store, \.x) { $0 }
        case .y: path(store, \.y) { $0 }
        case .z: path(store, \.z) { $0 }
        case .half: closure(store, half())
        case .near: closure(store, near(selection))
        case .model: path(store, \.model) { $0.number }
        case .sum: selector(store, Selectors.sum) { $0 }
        case .family(let factor): selector(store, Selectors.family(factor)) { $0 }
        case .view: selector(store, Selectors.view) { Selection.viewed($0) }
        case .rowCount: path(store, \.rows.count) { $0 }
        case .left: path(store, \.left.n) { $0 }
        case .leftStore: path(store.scoped(to: \.left), \.n) { $0 }
        case .rightStore: path(store.scoped(to: \.right), \.n) { $0 }
        case .desk: path(store, \.desk) { $0.number }
        case .sheet: path(store, \.sheet?.n) { $0 ?? -1 }
        case .sheetStore: path(store.scoped(to: \.sheet), \.?.n) { $0 ?? -1 }
        case .sheetUnwrapped: store.scoped(to: \.sheet).unwrapped().map { path($0, \.n) { $0 } }
        case .row(let id): row(store, id)
        case .rowStore(let id): path(store.scoped(to: .row(\.rows, id: id)), \.?.n) { $0 ?? -1 }
        case .rowUnwrapped(let id):
            store.scoped(to: .row(\.rows, id: id)).unwrapped().map { path($0, \.n) { $0 } }
        case .rowTitle(let id):
            store.scoped(to: .row(\.rows, id: id)).unwrapped().map {
                path($0.scoped(to: \.title), \.text) { $0 }
            }
        case .rowNear(let id):
            closure(
                store.scoped(to: .row(\.rows, id: id)),
                .selecting({ $0?.n ?? -1 }, removingDuplicatesBy: selection.isSame))
        }
    }

    private func path<S: Sendable, V: Equatable & Sendable>(
        _ store: Store<S>, _ path: any KeyPath<S, V> & Sendable,
        _ number: @escaping @Sendable (V) -> Int
    ) -> Subscription {
        let notify = notify
        if isMain {
            return store.subscribe(path, initially: initially, isolation: here) {
                @MainActor old, new in notify(number(old), number(new))
            }
        }
        if let screen {
            return store.subscribe(
                .path(path), on: screen, initially: initially, isolation: here
            ) { _, old, new in notify(number(old), number(new)) }
        }
        return store.subscribe(path, initially: initially, isolation: here) {
            old, new in notify(number(old), number(new))
        }
    }

    private func selector<V: Equatable & Sendable>(
        _ store: Store<World>, _ selector: StateSelector<World, V>,
        _ number: @escaping @Sendable (V) -> Int
    ) -> Subscription {
        let notify = notify
        if isMain {
            return store.subscribe(
                .selector(selector), initially: initially, isolation: here
            ) { @MainActor old, new in notify(number(old), number(new)) }
        }
        if let screen {
            return store.subscribe(
                .selector(selector), on: screen, initially: initially,
                isolation: here
            ) { _, old, new in notify(number(old), number(new)) }
        }
        return store.subscribe(
            .selector(selector), initially: initially, isolation: here
        ) {
            old, new in notify(number(old), number(new))
        }
    }

    /// A closure that captured something, and so is like no other one.
    private func half() -> Onward.Selection<World, Int> {
        let divisor = Divisor()
        return .selecting { world in
            soakPoint()
            return world.x / divisor.number
        }
    }

    private func near(_ selection: Selection) -> Onward.Selection<World, Int> {
        .selecting({ $0.x }, removingDuplicatesBy: selection.isSame)
    }

    private func closure<S: Sendable>(
        _ store: Store<S>, _ selection: Onward.Selection<S, Int>
    ) -> Subscription {
        let notify = notify
        if isMain {
            return store.subscribe(
                selection, initially: initially, isolation: here
            ) { @MainActor old, new in notify(old, new) }
        }
        return store.subscribe(
            selection, initially: initially, isolation: here
        ) { old, new in notify(old, new) }
    }

    private func row(_ store: Store<World>, _ id: Int) -> Subscription {
        let notify = notify
        if isMain {
            return store.subscribe(
                .row(\.rows, id: id), initially: initially, isolation: here
            ) { @MainActor old, new in notify(old?.number ?? -1, new?.number ?? -1) }
        }
        return store.subscribe(
            .row(\.rows, id: id), initially: initially, isolation: here
        ) { old, new in notify(old?.number ?? -1, new?.number ?? -1) }
    }

    /// The values of a selection as a sequence; nil for those that histories don't iterate over.
    static func values(
        of selection: Selection, of store: Store<World>, _ buffering: Buffering
    ) -> StoreValues<Int>? {
        switch selection {
        case .x: store.values(of: \.x, buffering: buffering)
        case .y: store.values(of: \.y, buffering: buffering)
        case .half: store.values(of: .selecting { $0.x / 2 }, buffering: buffering)
        case .sum: store.values(of: .selector(Selectors.sum), buffering: buffering)
        case .left: store.values(of: \.left.n, buffering: buffering)
        case .leftStore: store.scoped(to: \.left).values(of: \.n, buffering: buffering)
        case .rowUnwrapped(let id):
            store.scoped(to: .row(\.rows, id: id)).unwrapped()?.values(
                of: \.n, buffering: buffering)
        case .sheetUnwrapped:
            store.scoped(to: \.sheet).unwrapped()?.values(of: \.n, buffering: buffering)
        default: nil
        }
    }
}

/// What a closure captures.
private final class Divisor: Sendable {
    let number = 2
}
