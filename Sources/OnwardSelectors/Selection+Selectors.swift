// SPDX-License-Identifier: MIT

public import EntityTables
public import OnwardCore

extension Selection {
    /// What a selector derives from the state; equal values are skipped.
    ///
    /// The selector is computed once for all its subscribers, and only after commits that changed one of
    /// its inputs. When the last of them goes, what it computed is released.
    @inlinable
    public static func selector(_ selector: Selector<State, Value>) -> Selection
    where Value: Equatable {
        of(
            selector, .changes, isSame: Store<State>.equal(Value.self),
            isSameResult: Store<State>.equalResults(Value.self))
    }

    /// What a selector derives from the state, if that cannot be compared: each value that was computed
    /// anew.
    @inlinable
    public static func selector(_ selector: Selector<State, Value>) -> Selection {
        of(
            selector, .everyCommit, isSame: nil,
            isSameResult: Store<State>.sameResults(Value.self))
    }

    /// A table that a selector makes, notified whenever its rows or their order changed, for views that show
    /// it as a list.
    ///
    /// Subscribers ask the new table what changed, as they ask one in the state.
    ///
    /// - Complexity: O(changes) per commit, after what the selector costs.
    @inlinable
    public static func table<Row: Identifiable & Equatable & Sendable>(
        _ selector: Selector<State, EntityTable<Row>>
    ) -> Selection where Value == EntityTable<Row>, Row.ID: Sendable {
        .selector(selector)
    }

    /// A table that a selector makes, whose rows cannot be compared: a row that was replaced counts as
    /// changed.
    @inlinable
    public static func table<Row: Identifiable & Sendable>(
        _ selector: Selector<State, EntityTable<Row>>
    ) -> Selection where Value == EntityTable<Row>, Row.ID: Sendable {
        of(
            selector, .tables, isSame: Store<State>.unchanged(Row.self),
            isSameResult: Store<State>.unchangedResults(Row.self))
    }

    @inlinable @inline(__always)
    static func of(
        _ selector: Selector<State, Value>, _ kind: GroupKey.Kind, isSame: Change.IsSame?,
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
