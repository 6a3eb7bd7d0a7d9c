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
public struct Undoable<State: Sendable, Slice: Sendable>: Part {
    private let slice: any WritableKeyPath<State, Slice> & Sendable
    private let content: UndoContent<Slice>
    private let stack: any WritableKeyPath<State, UndoStack<Slice>> & Sendable
    private let limit: Int
    private let parts: [any Part<State>]
    private var recorded: [any Action.Type] = []
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
    ) where Slice: Equatable {
        self.init(slice, UndoContent(), stack, limit, parts())
    }

    /// Creates parts of whose changes some properties of a slice can be undone, once
    /// ``recording(_:as:)`` names the actions.
    ///
    /// ```swift
    /// Undoable(\.page, restoring: \.title, \.text, stack: \.undo) { … }    // the scroll position stays
    /// ```
    ///
    /// - Parameters:
    ///   - slice: The slice that has the properties.
    ///   - field: A property that is restored. An action that changes none is no step.
    ///   - others: More of them.
    ///   - stack: Where the steps are kept.
    ///   - limit: The most steps, at least 1; older ones are forgotten.
    ///   - parts: Parts that change the slice.
    public init<Field: Equatable & Sendable, each Other: Equatable & Sendable>(
        _ slice: any WritableKeyPath<State, Slice> & Sendable,
        restoring field: any WritableKeyPath<Slice, Field> & Sendable,
        _ others: repeat any WritableKeyPath<Slice, each Other> & Sendable,
        stack: any WritableKeyPath<State, UndoStack<Slice>> & Sendable, limit: Int = 100,
        @FeatureBuilder<State> _ parts: () -> [any Part<State>]
    ) {
        self.init(slice, UndoContent(field, repeat each others), stack, limit, parts())
    }

    private init(
        _ slice: any WritableKeyPath<State, Slice> & Sendable, _ content: UndoContent<Slice>,
        _ stack: any WritableKeyPath<State, UndoStack<Slice>> & Sendable, _ limit: Int,
        _ parts: [any Part<State>]
    ) {
        self.slice = slice
        self.content = content
        self.stack = stack
        self.limit = max(limit, 1)
        self.parts = parts
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
        guard !recorded.contains(where: { $0 == type }) else { return self }
        var copy = self
        copy.recorded.append(type)
        copy.recorders.append(
            TypedUndoRecorder(
                slice: slice, content: content, stack: stack, limit: limit, recording: recording))
        return copy
    }

    /// Registers the parts, and what records the slice before and after each recorded action.
    public func register(in registration: inout Registration<State>) {
        if recorders.isEmpty { registration.compiler.note(.undoableWithoutRecording(slice)) }
        for recorder in recorders { recorder.register(in: &registration) }
        for part in parts { part.register(in: &registration) }
        registration.reduce(UndoAction.self) { [slice, content, stack] state, action in
            var value = state[keyPath: slice]
            let isDone = state[keyPath: stack].perform(
                action, on: &value, exchange: content.exchange)
            guard isDone else { return }
            state[keyPath: slice] = value
        }
    }
}

/// What is restored of a slice: all of it, or some of its properties.
private struct UndoContent<Slice: Sendable>: Sendable {
    let isSame: @Sendable (Slice, Slice) -> Bool
    let exchange: @Sendable (inout Slice, inout Slice) -> Void

    init() where Slice: Equatable {
        isSame = { isUnchanged($0, $1) }
        exchange = { swap(&$0, &$1) }
    }

    init<each Field: Equatable & Sendable>(
        _ fields: repeat any WritableKeyPath<Slice, each Field> & Sendable
    ) {
        isSame = { old, new in
            for isSame in repeat isUnchanged(
                old[keyPath: each fields], new[keyPath: each fields])
            {
                if !isSame { return false }
            }
            return true
        }
        exchange = { first, second in
            repeat Self.exchange(&first, &second, at: each fields)
        }
    }

    private static func exchange<Field>(
        _ first: inout Slice, _ second: inout Slice, at path: WritableKeyPath<Slice, Field>
    ) {
        swap(&first[keyPath: path], &second[keyPath: path])
    }
}

/// Records the actions of one type.
private protocol UndoRecorder<State, Slice>: Sendable {
    associatedtype State: Sendable
    associatedtype Slice: Sendable
    func register(in registration: inout Registration<State>)
}

private struct TypedUndoRecorder<State: Sendable, Slice: Sendable, A: Action>: UndoRecorder {
    let slice: any WritableKeyPath<State, Slice> & Sendable
    let content: UndoContent<Slice>
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
            state[keyPath: stack].end(value, in: group, limit: limit, isSame: content.isSame)
        }
    }
}
