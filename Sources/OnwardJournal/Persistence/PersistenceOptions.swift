// SPDX-License-Identifier: MIT

public import Onward

/// How a ``Persistence`` restores its store, and what it records.
public struct PersistenceOptions<State: Codable & Sendable>: Sendable {
    /// How far a restoration has come: a row for a launch screen.
    public struct Progress: Sendable, Hashable, CustomStringConvertible {
        /// The version of the snapshot after which entries are run; 0 without a snapshot.
        public let start: CommitVersion
        /// The version of the last entry that was run.
        public let version: CommitVersion
        /// The version of the last entry that will be run.
        public let last: CommitVersion

        /// The part of the entries that was run, from 0 to 1.
        public var fraction: Double {
            last > start ? Double(version - start) / Double(last - start) : 1
        }

        /// Such as "512 of 2000 entries".
        public var description: String { "\(version - start) of \(last - start) entries" }
    }

    /// What happens when the journal fails permanently.
    public enum Failure: Sendable, Hashable {
        /// The store continues in memory, and this is reported; as soon as the journal accepts
        /// writes again, it gets the whole state, and recording resumes after it. Where another
        /// program has appended meanwhile, nothing is put over its entries: recording ends with
        /// ``JournalError/Code/conflict``, unless ``RecordingOptions/Others/appendBehindThem`` says
        /// otherwise.
        case resume
        /// The store continues in memory, and this is reported; nothing more is recorded, and
        /// ``Persistence/flush()`` throws.
        case end
    }

    /// How entries are written and read; must match the journal's first entry.
    public var format = DataFormat.cbor
    /// How old entries and snapshots are migrated to the current types.
    public var migrations = Migrations()
    /// A text that the program changes whenever its reducers behave differently.
    public var revision = ""
    /// What happens to an entry that can't be decoded; by default, restoring fails.
    public var whenUnreadable = UnreadableEntryPolicy.fail
    /// How much of the log is kept; by default, all of it.
    public var retention = Retention.all
    /// The limits of the recording, the spacing of snapshots, and where errors are reported.
    public var recording = RecordingOptions()
    /// What is recorded of an action: by default the action itself; or another one, or nothing.
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
    /// A store is restored to what the recorded actions lead to, and so are its snapshots: anything
    /// left out or redacted is nowhere in the journal, and the changes it made are lost. Only an
    /// installed state is recorded as the store has it: one installed by a ``History``, after a
    /// failure, or because effects dispatched before the recording began.
    ///
    /// Called on the thread that delivers the commit; equal actions must give equal results.
    public var recorded: (@Sendable (_ action: any Action) -> (any Action)?)?
    /// What happens when nothing can be recorded.
    public var whenFailing = Failure.resume
    /// Called by the restoring task while the store is being restored, after every 128 entries and
    /// after the last one.
    ///
    /// ```swift
    /// options.progress = { progress in
    ///     launch.dispatch(LaunchAction.restoring(progress.description, progress.fraction))
    /// }
    /// ```
    public var progress: @Sendable (Progress) -> Void = { _ in }
    /// Removes from a state whatever isn't to be restored, such as what every launch resets.
    ///
    /// It is applied when the store is restored, not to what is stored. Its changes become an entry
    /// of the journal, so that everything after it runs on the state that the store really had.
    public var resetting: (@Sendable (inout State) -> Void)?
    /// The slices that start fresh, each as a function that copies it from the first state.
    private var transient: [@Sendable (inout State, State) -> Void] = []

    /// Creates the default options.
    public init() {}

    /// Makes a slice start fresh when the store is restored: what is selected or being loaded.
    ///
    /// ```swift
    /// var options = PersistenceOptions<Shop>()
    /// options.makeTransient(\.search)
    /// ```
    ///
    /// The slice's actions are recorded like all others, so the log shows what happened; see also
    /// ``resetting``.
    ///
    /// - Parameter slice: Reset to its value in the state before the first entry.
    public mutating func makeTransient<Slice>(
        _ slice: any WritableKeyPath<State, Slice> & Sendable
    ) {
        transient.append { state, initial in state[keyPath: slice] = initial[keyPath: slice] }
    }

    /// Whether any part of a restored state starts fresh.
    var resets: Bool { resetting != nil || !transient.isEmpty }

    /// Resets whatever isn't to be restored.
    func reset(_ state: inout State, to initial: State) {
        for begin in transient { begin(&state, initial) }
        resetting?(&state)
    }
}
