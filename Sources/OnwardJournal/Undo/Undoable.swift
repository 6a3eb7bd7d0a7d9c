// SPDX-License-Identifier: MIT

public import Onward

/// Parts whose changes to a slice can be undone and redone.
///
/// ```swift
/// struct Editor: Sendable { var text = Text(), undo = UndoStack<Text>() }
///
/// let editor = Feature<Editor> {
///     Undoable(\.text, stack: \.undo, limit: 100) {
///         Reduce { (editor: inout Editor, action: TextAction) in … }
///     }
///     .recording(TextAction.self) { action in
///         switch action {
///         case .type(_, let field): .group(UndoGroup(field))
///         case .received: .ignore
///         default: .step
///         }
///     }
/// }
///
/// if let undo = store.state.undo.undo { store.dispatch(undo) }      // nil: the button is disabled
/// ```
///
/// Undoing is an action like any other: an entry of the log that names the step. The old values are
/// in the state, so a replay is exact wherever the log begins. While the stack keeps an old value,
/// the next change copies what they share; an `EntityTable` shares nearly everything, an array
/// nothing.
public struct Undoable<State: Sendable, Slice: Equatable & Sendable>: Part {
    private let slice: any WritableKeyPath<State, Slice> & Sendable
    private let stack: any WritableKeyPath<State, UndoStack<Slice>> & Sendable
    private let limit: Int
    private let parts: [any Part<State>]
    private var recorders: [any UndoRecorder<State, Slice>] = []

    /// Creates parts whose changes can be undone, once ``recording(_:as:)`` names the actions.
    ///
    /// - Parameters:
    ///   - slice: The slice that is restored.
    ///   - stack: Where the steps are kept.
    ///   - limit: The most steps, at least 1; older ones are forgotten.
    ///   - parts: Parts that change the slice.
    public init(
        _ slice: any WritableKeyPath<State, Slice> & Sendable,
        stack: any WritableKeyPath<State, UndoStack<Slice>> & Sendable, limit: Int = 100,
        @FeatureBuilder<State> _ parts: () -> [any Part<State>]
    ) {
        self.slice = slice
        self.stack = stack
        self.limit = max(limit, 1)
        self.parts = parts()
    }

    /// Records what actions of a type change, whether they are dispatched to this place or to the
    /// store of a child or row inside it.
    ///
    /// - Parameters:
    ///   - type: The type of the actions.
    ///   - recording: How an action counts; pure, and called under the store's lock like a reducer.
    /// - Returns: The same parts, with such actions recorded.
    public func recording<A: Action>(
        _ type: A.Type, as recording: @escaping @Sendable (A) -> UndoRecording = { _ in .step }
    ) -> Undoable {
        var copy = self
        copy.recorders.append(
            TypedUndoRecorder(slice: slice, stack: stack, limit: limit, recording: recording))
        return copy
    }

    /// Registers the parts, and what records the slice before and after each recorded action.
    public func register(in registration: inout Registration<State>) {
        if recorders.isEmpty { registration.compiler.note(.undoableWithoutRecording(slice)) }
        for recorder in recorders { recorder.register(in: &registration) }
        for part in parts { part.register(in: &registration) }
        registration.reduce(UndoAction.self) { [slice, stack] state, action in
            var value = state[keyPath: slice]
            guard state[keyPath: stack].perform(action, on: &value) else { return }
            state[keyPath: slice] = value
        }
    }
}

/// Records the actions of one type.
private protocol UndoRecorder<State, Slice>: Sendable {
    associatedtype State: Sendable
    associatedtype Slice: Sendable
    func register(in registration: inout Registration<State>)
}

private struct TypedUndoRecorder<State: Sendable, Slice: Equatable & Sendable, A: Action>:
    UndoRecorder
{
    let slice: any WritableKeyPath<State, Slice> & Sendable
    let stack: any WritableKeyPath<State, UndoStack<Slice>> & Sendable
    let limit: Int
    let recording: @Sendable (A) -> UndoRecording

    func register(in registration: inout Registration<State>) {
        registration.surround(A.self) { state, action in
            if recording(action) == .ignore { return }
            let value = state[keyPath: slice]
            state[keyPath: stack].begin(value)
        } after: { state, action in
            let group: UndoGroup?
            switch recording(action) {
            case .ignore: return
            case .step: group = nil
            case .group(let joined): group = joined
            }
            let value = state[keyPath: slice]
            state[keyPath: stack].end(value, in: group, limit: limit)
        }
    }
}
