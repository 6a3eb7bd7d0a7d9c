// SPDX-License-Identifier: MIT

public import Onward

/// Parts whose changes to the rows of a table can be undone by each author alone, where several
/// people share a store.
///
/// ```swift
/// struct Board: Sendable { var notes: EntityTable<Note> = [], undo = SharedUndo<Note>() }
///
/// let board = Feature<Board> {
///     UndoableRows(\.notes, restoring: \.text, \.color, stack: \.undo) {
///         Reduce { (board: inout Board, action: BoardAction) in … }
///     }
///     .recording(BoardAction.self, by: \.author)
/// }
///
/// if let undo = store.state.undo.undo(by: me) { store.dispatch(undo) }     // nil: the button is disabled
/// if let refusal = store.state.undo.refusal(of: me) { … }                  // somebody changed the same
/// ```
///
/// A step has the rows that its action added or removed, and the declared properties that it
/// changed. An undo needs the values that the step led to to be there still. A row that was added
/// goes if nobody has changed it; one that was removed comes back beside a neighbour that is still
/// there. What moved stays where it is.
///
/// - Complexity: Recording, undoing and redoing cost O(rows that the action changed); recording into
///   a group that goes on, O(rows of the group) as well.
public struct UndoableRows<State: Sendable, Row: Identifiable & Equatable & Sendable>: Part
where Row.ID: Sendable {
    private let rows: any WritableKeyPath<State, EntityTable<Row>> & Sendable
    private let fields: RowFields<Row>
    private let stack: any WritableKeyPath<State, SharedUndo<Row>> & Sendable
    private let limits: (steps: Int, authors: Int)
    private let parts: [any Part<State>]
    private var recorded: [any Action.Type] = []
    private var recorders: [@Sendable (inout Registration<State>) -> Void] = []

    /// Creates parts whose changes can be undone, once ``recording(_:by:as:)`` names the actions.
    ///
    /// - Parameters:
    ///   - rows: The table.
    ///   - field: A property of a row that is restored.
    ///   - others: More of them; other properties stay as they are.
    ///   - stack: Where the steps are kept.
    ///   - limit: The most steps of one author, at least 1; older ones are forgotten.
    ///   - authorLimit: The most authors, at least 1; who made a step longest ago is forgotten.
    ///   - parts: Parts that change the table.
    public init<Field: Equatable & Sendable, each Other: Equatable & Sendable>(
        _ rows: any WritableKeyPath<State, EntityTable<Row>> & Sendable,
        restoring field: any WritableKeyPath<Row, Field> & Sendable,
        _ others: repeat any WritableKeyPath<Row, each Other> & Sendable,
        stack: any WritableKeyPath<State, SharedUndo<Row>> & Sendable, limit: Int = 100,
        authorLimit: Int = 1_000, @FeatureBuilder<State> _ parts: () -> [any Part<State>]
    ) {
        self.rows = rows
        fields = RowFields(field, repeat each others)
        self.stack = stack
        limits = (max(limit, 1), max(authorLimit, 1))
        self.parts = parts()
    }

    /// Records what actions of a type change, whether they are dispatched to this place or to a row
    /// of the table.
    ///
    /// - Parameters:
    ///   - type: The type of the actions.
    ///   - author: Who did it, as the action says; nil for what nobody can undo, such as what came
    ///     from elsewhere.
    ///   - recording: How an action counts; pure, and called under the store's lock like a reducer.
    /// - Returns: The same parts, with such actions recorded.
    public func recording<A: Action>(
        _ type: A.Type, by author: @escaping @Sendable (A) -> String?,
        as recording: @escaping @Sendable (A) -> UndoRecording = { _ in .step }
    ) -> UndoableRows {
        guard !recorded.contains(where: { $0 == type }) else { return self }
        var copy = self
        copy.recorded.append(type)
        copy.recorders.append { [rows, fields, stack, limits] registration in
            registration.surround(A.self) { state, action in
                if author(action) == nil || recording(action) == .ignore { return }
                let table = state[keyPath: rows]
                state[keyPath: stack].begin(table)
            } after: { state, action in
                guard let author = author(action) else { return }
                let group: UndoGroup?
                switch recording(action) {
                case .ignore: return
                case .step: group = nil
                case .group(let joined): group = joined
                }
                let table = state[keyPath: rows]
                state[keyPath: stack].end(table, by: author, in: group, fields, limits: limits)
            }
        }
        return copy
    }

    /// Registers the parts, and what records the table before and after each recorded action.
    public func register(in registration: inout Registration<State>) {
        if recorders.isEmpty { registration.compiler.note(.undoableWithoutRecording(rows)) }
        for recorder in recorders { recorder(&registration) }
        for part in parts { part.register(in: &registration) }
        registration.reduce(SharedUndoAction.self) { [rows, fields, stack] state, action in
            var table = state[keyPath: rows]
            state[keyPath: stack].perform(action, on: &table, fields)
            state[keyPath: rows] = table
        }
    }
}
