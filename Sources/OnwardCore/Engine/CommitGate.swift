// SPDX-License-Identifier: MIT

/// Decides what a store shows: the extension point for time travel, pause and lock.
///
/// A store may have several, such as an inspector and one that undoes steps: they are asked in the order
/// in which they were attached, and the first that withholds an action has the last word; those after it
/// never see that action.
///
/// It is asked for every action that left the middleware chain, on the dispatching thread, outside
/// the lock, possibly on several threads at once. Through its ``CommitGateController`` it can install a
/// state.
public protocol CommitGate<State>: Sendable {
    /// The state of the stores it can steer.
    associatedtype State: Sendable

    /// Whether an action is accepted, so that the reducers run; otherwise it is withheld and nothing changes. The gate
    /// may keep it.
    ///
    /// When a state is installed between the answer and the commit, an accepted action is asked
    /// about again, so that it never lands on a state it was not meant for. Where that happens a thousand times
    /// in a row, the action is refused and reported.
    ///
    /// Decide from `pending` alone. Actions dispatched here are decided about too, at most as deep as
    /// ``Limits/middlewareDepth``.
    func accepts(_ pending: PendingCommit) -> Bool
}

/// The gates of a store in the order in which they are asked, and which of them are travelled: a value.
struct CommitGateChain {
    private(set) var attached: [AnyCommitGate] = []
    private var travelled: Set<ObjectIdentifier> = []
    /// Changes when one of them changes its mind: an answer from an earlier turn does not count.
    private(set) var turn: UInt64 = 0

    var isEmpty: Bool { attached.isEmpty }

    /// The store is live while none of them is travelled.
    var state: CommitGateState { travelled.isEmpty ? .live : .travelled }

    func contains(_ gate: AnyCommitGate) -> Bool { attached.contains { $0 === gate } }

    /// Adds one behind the others.
    mutating func add(_ gate: AnyCommitGate) {
        attached.append(gate)
        turn += 1
    }

    /// Removes one; false when it had already left.
    mutating func remove(_ gate: AnyCommitGate) -> Bool {
        guard contains(gate) else { return false }
        attached.removeAll { $0 === gate }
        travelled.remove(ObjectIdentifier(gate))
        turn += 1
        return true
    }

    /// One of them changes its mind from here on; false when it had already left.
    @discardableResult
    mutating func reconsider(_ gate: AnyCommitGate, _ state: CommitGateState? = nil) -> Bool {
        guard contains(gate) else { return false }
        turn += 1
        switch state {
        case .travelled: travelled.insert(ObjectIdentifier(gate))
        case .live: travelled.remove(ObjectIdentifier(gate))
        case nil: break
        }
        return true
    }

    /// Removes all; returns them, to be released outside the lock.
    mutating func removeAll() -> [AnyCommitGate] {
        defer {
            attached = []
            travelled = []
            turn += 1
        }
        return attached
    }
}

extension [AnyCommitGate] {
    /// Whether they accept an action: the first that withholds it has the last word.
    func accepts(_ pending: PendingCommit) -> Bool { allSatisfy { $0.accepts(pending) } }
}

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
    /// - Returns: the version; ``Refusal/outdated(by:)`` where another one is current,
    ///   ``Refusal/shutDown`` when this gate has left or the store was shut down.
    @discardableResult
    public func install(
        _ state: State, replacing version: Version, showing shown: Version? = nil,
        resuming isLive: Bool = false, file: String = #fileID, line: Int = #line,
        isolation: (any Actor)? = #isolation
    ) -> DispatchResult {
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
    package var isAttached: Bool {
        engine.whole { $0.state.gates.contains(gate) && !$0.state.isClosed }
    }

    /// Leaves the store as it is, and is no longer asked.
    public func leave() {
        engine.remove(gate)
    }
}

/// An attached gate without its type.
final class AnyCommitGate: Sendable {
    let accepts: @Sendable (PendingCommit) -> Bool

    init<T: CommitGate>(_ gate: T) {
        accepts = { gate.accepts($0) }
    }
}
