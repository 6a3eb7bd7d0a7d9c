// SPDX-License-Identifier: MIT

public import Onward

/// How a ``Persistence`` restores its store, and what it keeps of it.
public struct PersistenceOptions<State: Codable & Sendable>: Sendable {
    /// How far a restoration has come.
    public struct Progress: Sendable, Hashable {
        /// The last entry that was run.
        public let version: Version
        /// The last one that is to be run.
        public let last: Version
    }

    /// What happens when the journal fails for good, or more entries wait for it than it may have.
    public enum Failure: Sendable, Hashable {
        /// The store goes on in memory, which is reported; as soon as the journal takes something again, it gets
        /// the whole state, and recording resumes behind it.
        case resume
        /// The store goes on in memory, which is reported; nothing is recorded any more, and
        /// ``Persistence/flush()`` throws.
        case end
    }

    /// How entries are written and read; the same as that of the journal's first entry.
    public var format = DataFormat.cbor
    /// How old entries and snapshots are brought to the present types.
    public var migrations = Migrations()
    /// A text that the program changes with the behaviour of its reducers.
    public var revision = ""
    /// What happens with an entry that can't be decoded; restoring fails with what is missing unless it is set.
    public var whenUnreadable = UnreadableEntryPolicy.fail
    /// How much of the log is kept; all of it unless it is set.
    public var retention = Retention.all
    /// Limits of the recording; the spacing of snapshots; where errors are reported.
    public var recording = RecordingOptions()
    /// What is recorded of an action: itself unless it is set, another one in its place, or nothing.
    ///
    /// ```swift
    /// options.recorded = { action in
    ///     switch action {
    ///     case is PointerAction: nil
    ///     case let login as Login: Login(name: login.name, password: "")
    ///     default: action
    ///     }
    /// }
    /// ```
    ///
    /// A store is restored to what the recorded actions lead to, and snapshots have that as well: so what is left out
    /// or redacted is nowhere in the journal, and what it has changed is lost. Only a state that is installed is recorded as
    /// the store has it: by a ``History``, behind a failure, or because effects have dispatched before the recording began.
    ///
    /// Called by the thread that delivers the commit; equal actions are to be answered alike.
    public var recorded: (@Sendable (_ action: any Action) -> (any Action)?)?
    /// What happens when nothing can be recorded.
    public var whenFailing = Failure.resume
    /// Called while the store is restored, by the task that restores.
    public var progress: @Sendable (Progress) -> Void = { _ in }
    /// Takes out of a state what isn't to be restored, such as what a launch begins with.
    ///
    /// It is applied when the store is restored, not to what is stored. What it changes is an entry of the
    /// journal, so that whatever comes behind is run on the state that the store really had.
    public var resetting: (@Sendable (inout State) -> Void)?
    /// The slices that begin anew, each as a function that takes it from the first state.
    private var transient: [@Sendable (inout State, State) -> Void] = []

    /// The usual options.
    public init() {}

    /// Has a slice begin anew whenever the store is restored: what is selected, what is being loaded.
    ///
    /// ```swift
    /// var options = PersistenceOptions<Shop>()
    /// options.makeTransient(\.search)
    /// ```
    ///
    /// Its actions are recorded like all others, so that the log says what happened; see also ``resetting``.
    ///
    /// - Parameter slice: Set to what the state before the first entry has there.
    public mutating func makeTransient<Slice>(
        _ slice: any WritableKeyPath<State, Slice> & Sendable
    ) {
        transient.append { state, initial in state[keyPath: slice] = initial[keyPath: slice] }
    }

    /// Whether anything of a restored state begins anew.
    var resets: Bool { resetting != nil || !transient.isEmpty }

    /// Has begin anew what isn't to be restored.
    func reset(_ state: inout State, to initial: State) {
        for begin in transient { begin(&state, initial) }
        resetting?(&state)
    }
}
