// SPDX-License-Identifier: MIT

/// The reducers of a type of action in parents of the feature whose action it is, as long as none of
/// them has run.
///
/// Problem: a `Reduce` of the parent for its child's type of action compiles, and silently never runs
/// for what is addressed to the child. But it looks like one that is intended: an action such as "reset"
/// may be handled by parents and children, and be sent to a child alone.
///
/// Strategy: report only what is hardly ever intended. A type that two kinds of state handle, one of
/// which contains the other, belongs to the inner one. (A type that more kinds handle is shared. A
/// feature inside itself is of one kind.) A parent with a reducer of the child for the type knows what it does. And a
/// parent whose reducer has run is sent such actions, so it need not be sent all of them. Each is
/// reported once.
struct BypassedReducers {
    /// Where they are.
    private(set) var lenses: [SliceLens]

    /// Those among the reducers and childReducers of one type.
    init(among handlers: [Handler], _ childReducers: [ChildReducer]) {
        let kinds = Set(handlers.map { ObjectIdentifier($0.slice) })
        guard kinds.count == 2 else {
            lenses = []
            return
        }
        func isParent(_ handler: Handler, of other: Handler) -> Bool {
            handler.slice != other.slice && handler.lens.steps.count < other.lens.steps.count
                && other.lens.steps.starts(with: handler.lens.steps)
        }
        let parents = handlers.filter { handler in handlers.contains { isParent(handler, of: $0) } }
        let isNested = parents.contains { parent in
            handlers.contains { child in
                child.slice == parent.slice && handlers.contains { isParent($0, of: child) }
            }
        }
        let aware = Set(childReducers.map(\.lens.steps))
        lenses = isNested ? [] : parents.map(\.lens).filter { !aware.contains($0.steps) }
    }

    /// Notes which features an action reached; returns the way to a parent that it bypassed.
    mutating func note(_ address: Address) -> [PathStep]? {
        lenses.removeAll { address.includes($0.steps) }
        let passed = lenses.firstIndex {
            $0.steps.count < address.components.count && $0.isOnTheWay(of: address)
        }
        return passed.map { index in
            let steps = lenses[index].steps
            lenses.removeAll { $0.steps == steps }
            return steps
        }
    }
}
