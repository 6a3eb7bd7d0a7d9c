// SPDX-License-Identifier: MIT

/// What an attached gate can do with its store; any thread may use it.
///
/// Releasing it changes nothing: the gate is asked until ``leave()``, or until the store ends.
public struct CommitGateController<State: Sendable>: Sendable {
    private let engine: Engine
    private let gate: AnyCommitGate

    init(engine: Engine, gate: AnyCommitGate) {
        self.engine = engine
        self.gate = gate
    }

    /// Makes the store show a state in place of that of a version: a commit with a new, higher version and an
    /// entry of the kind `.travel`.
    ///
    /// Nothing is overwritten unseen: where the store has come to another version meanwhile, nothing changes.
    /// Read what was committed since, and install a state that includes it.
    ///
    /// Subscribers are notified of what is different. From here on the gate counts as travelled: no work
    /// for the state starts, and work that the state keeps alive pauses, until the store goes live again,
    /// which it does when none of its gates is travelled any more.
    ///
    /// - Parameters:
    ///   - state: What to show.
    ///   - version: The version that it replaces, as the store shows it now.
    ///   - shown: The earlier version whose state it is, for those who keep the log; nil where it is another.
    ///   - isLive: Whether the store goes live from this state, with all its work: for the way back from
    ///     travelling, for undoing, for a state that was imported.
    ///   - file: The source file, for the entry.
    ///   - line: The source line, for the entry.
    ///   - isolation: The actor that the caller runs on; its subscribers are called at once.
    /// - Returns: the version; ``InstallResult/outdated(by:)`` where another one is current,
    ///   ``Refusal/shutDown`` when this gate has left or the store was shut down.
    @discardableResult
    public func install(
        _ state: State, replacing version: Version, showing shown: Version? = nil,
        resuming isLive: Bool = false, file: String = #fileID, line: Int = #line,
        isolation: (any Actor)? = #isolation
    ) -> InstallResult {
        withUnsafePointer(to: state) { pointer in
            engine.install(
                UnsafeRawPointer(pointer), as: Travel(replacing: version, showing: shown),
                resuming: isLive, by: gate, from: Origin(file: file, line: line), on: isolation)
        }
    }

    /// Makes the work for the state stand still while the gate withholds without installing a state:
    /// nothing starts, and work that a piece of state keeps alive pauses.
    ///
    /// The store asks again about actions that were accepted and not committed yet.
    public func pause(isolation: (any Actor)? = #isolation) {
        engine.reconsider(gate, .travelled, on: isolation)
    }

    /// Makes the store live again from the state it shows, as far as this gate is concerned: what
    /// stood still starts again.
    ///
    /// Leaving does the same.
    public func resume(isolation: (any Actor)? = #isolation) {
        engine.reconsider(gate, .live, on: isolation)
    }

    /// Makes the store ask again about actions that were accepted and not committed yet.
    ///
    /// Call it when the gate starts to withhold without installing a state.
    ///
    /// - Returns: The version from which on no earlier answer counts: what was accepted before is in it.
    @discardableResult
    public func reconsider() -> Version {
        engine.reconsider(gate)
    }

    /// Whether this gate steers the store: not once it has left or the store was shut down.
    public var isAttached: Bool {
        engine.whole { $0.state.gates.contains(gate) && !$0.state.isClosed }
    }

    /// Leaves the store as it is, and is no longer asked.
    public func leave() {
        engine.remove(gate)
    }
}

/// An attached gate without its type.
final class AnyCommitGate: Sendable {
    let decide: @Sendable (PendingCommit) -> CommitGateDecision

    init<T: CommitGate>(_ gate: T) {
        decide = { gate.decide($0) }
    }
}
