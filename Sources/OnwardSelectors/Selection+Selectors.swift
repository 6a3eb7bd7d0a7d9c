// SPDX-License-Identifier: MIT

public import EntityTables
public import OnwardCore

extension Selection {
    /// What a selector derives from the state; equal values are skipped.
    ///
    /// The selector is computed once for all its subscribers, and only after commits that changed
    /// one of its inputs. When the last subscriber leaves, the computed value is released.
    @inlinable
    public static func selector(_ selector: StateSelector<State, Value>) -> Selection
    where Value: Equatable {
        of(
            selector, .changes, isSame: Store<State>.equal(Value.self),
            isSameResult: Store<State>.equalResults(Value.self))
    }

    /// What a selector derives from the state, if it is not `Equatable`: subscribers are notified
    /// of each newly computed value.
    @inlinable
    public static func selector(_ selector: StateSelector<State, Value>) -> Selection {
        of(
            selector, .everyCommit, isSame: nil,
            isSameResult: Store<State>.sameResults(Value.self))
    }

    /// A table that a selector makes, with a notification whenever its rows or their order change,
    /// for views that show it as a list.
    ///
    /// Subscribers ask the new table for the changes, as they do with a table in the state.
    ///
    /// - Complexity: O(changes) per commit, plus the cost of the selector.
    @inlinable
    public static func table<Row: Identifiable & Equatable & Sendable>(
        _ selector: StateSelector<State, EntityTable<Row>>
    ) -> Selection where Value == EntityTable<Row>, Row.ID: Sendable {
        .selector(selector)
    }

    /// A table that a selector makes, whose rows are not `Equatable`: a replaced row counts as
    /// changed.
    @inlinable
    public static func table<Row: Identifiable & Sendable>(
        _ selector: StateSelector<State, EntityTable<Row>>
    ) -> Selection where Value == EntityTable<Row>, Row.ID: Sendable {
        of(
            selector, .tables, isSame: Store<State>.unchanged(Row.self),
            isSameResult: Store<State>.unchangedResults(Row.self))
    }

    @inlinable @inline(__always)
    static func of(
        _ selector: StateSelector<State, Value>, _ kind: GroupKey.Kind, isSame: Change.IsSame?,
        isSameResult: @escaping Change.IsSame
    ) -> Selection {
        Selection(
            isSame: isSame, key: { $0.source(selector, kind).key }, read: { $0.read(selector) }
        ) {
            $0.subscribe(
                to: selector, kind, isSame: isSameResult, $1, TypedSubscriber($2.call))
        }
    }
}
