// SPDX-License-Identifier: MIT

/// Decides what a store shows: the extension point for time travel, pausing and locking.
///
/// A store may have several gates, such as an inspector and one that undoes steps: they are asked
/// in the order in which they were attached, and the first that withholds an action decides; later
/// gates never see that action.
///
/// A gate is asked about every action that leaves the middleware chain, on the dispatching thread,
/// outside the lock, possibly on several threads at once. It can install a state through its
/// ``CommitGateController``.
public protocol CommitGate<State>: Sendable {
    /// The state of the stores that the gate can control.
    associatedtype State: Sendable

    /// Whether an action is accepted and reduced; otherwise it is withheld and nothing changes.
    ///
    /// The gate may keep a withheld action. If a state is installed between the answer and the
    /// commit, the gate is asked again about an accepted action, so that the action never lands on
    /// a state it was not meant for. If that happens a thousand times in a row, the action is
    /// refused and reported.
    ///
    /// Decide from `pending` alone. The gate is also asked about actions dispatched from here,
    /// which may be nested at most as deep as ``StoreLimits/middlewareDepth``.
    func accepts(_ pending: PendingCommit) -> Bool
}

/// The gates of a store in the order in which they are asked, and which are travelled: a value.
struct CommitGateChain {
    private(set) var attached: [AnyCommitGate] = []
    private var travelled: Set<ObjectIdentifier> = []
    /// Changes when a gate reconsiders: an answer from an earlier turn does not count.
    private(set) var turn: UInt64 = 0

    var isEmpty: Bool { attached.isEmpty }

    /// The store is live while none of them is travelled.
    var state: CommitGateState { travelled.isEmpty ? .live : .travelled }

    func contains(_ gate: AnyCommitGate) -> Bool { attached.contains { $0 === gate } }

    /// Adds a gate after the others.
    mutating func add(_ gate: AnyCommitGate) {
        attached.append(gate)
        turn += 1
    }

    /// Removes a gate; false if it had already left.
    mutating func remove(_ gate: AnyCommitGate) -> Bool {
        guard contains(gate) else { return false }
        attached.removeAll { $0 === gate }
        travelled.remove(ObjectIdentifier(gate))
        turn += 1
        return true
    }

    /// Notes that a gate decides differently from now on; false if it had already left.
    @discardableResult
    mutating func reevaluate(_ gate: AnyCommitGate, _ state: CommitGateState? = nil) -> Bool {
        guard contains(gate) else { return false }
        turn += 1
        switch state {
        case .travelled: travelled.insert(ObjectIdentifier(gate))
        case .live: travelled.remove(ObjectIdentifier(gate))
        case nil: break
        }
        return true
    }

    /// Removes all gates; returns them, to be released outside the lock.
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
    /// Whether the gates accept an action: the first that withholds it decides.
    func accepts(_ pending: PendingCommit) -> Bool { allSatisfy { $0.accepts(pending) } }
}

/// Lets an attached gate control its store, from any thread.
///
/// Releasing it changes nothing: the gate is asked until ``detach()``, or until the store ends.
public struct CommitGateController<State: Sendable>: Sendable {
    private let engine: Engine
    private let gate: AnyCommitGate

    init(engine: Engine, gate: AnyCommitGate) {
        self.engine = engine
        self.gate = gate
    }

    /// Makes the store show a state in place of a version's state: a commit with a new, higher
    /// version and an entry of the kind `.travel`.
    ///
    /// Nothing is overwritten unseen: if the store has reached another version in the meantime,
    /// nothing changes. Then read what was committed since, and install a state that includes it.
    ///
    /// Subscribers are notified of the differences. From then on the gate counts as travelled: no
    /// work for the state starts, and work that the state keeps alive pauses, until the store goes
    /// live again. It does so when none of its gates is travelled any more.
    ///
    /// - Parameters:
    ///   - state: What to show.
    ///   - version: The version whose state it replaces: the one the store shows now.
    ///   - shown: The earlier version that the state belongs to, for the log; nil if there is none.
    ///   - isLive: Whether the store goes live from this state, with all its work: for returning
    ///     from travel, for undoing, for an imported state.
    ///   - paths: What may differ from the replaced state, where that is known: who reads something else
    ///     is not asked. Nil for anything.
    ///   - file: The source file, for the entry.
    ///   - line: The source line, for the entry.
    ///   - isolation: The caller's actor; subscribers on that actor are called at once.
    /// - Returns: The version; ``Refusal/outdated(by:)`` if another version is current,
    ///   ``Refusal/shutDown`` if this gate has left or the store was shut down.
    @discardableResult
    public func install(
        _ state: State, replacing version: CommitVersion, showing shown: CommitVersion? = nil,
        resuming isLive: Bool = false,
        touching paths: [any PartialKeyPath<State> & Sendable]? = nil, file: String = #fileID,
        line: Int = #line,
        isolation: (any Actor)? = #isolation
    ) -> DispatchResult {
        withUnsafePointer(to: state) { pointer in
            engine.install(
                UnsafeRawPointer(pointer), as: Travel(replacing: version, showing: shown),
                resuming: isLive, touching: paths.flatMap { Self.ranges(of: $0) }, by: gate,
                from: ActionOrigin(file: file, line: line), on: isolation)
        }
    }

    /// The bytes of the state that key paths read; nil where one isn't a stored property.
    private static func ranges(
        of paths: [any PartialKeyPath<State> & Sendable]
    ) -> [Range<Int>]? {
        var ranges: [Range<Int>] = []
        for path in paths {
            func size<Value>(_ type: Value.Type) -> Int { MemoryLayout<Value>.size }
            guard let offset = MemoryLayout<State>.offset(of: path) else { return nil }
            ranges.append(offset..<offset + _openExistential(type(of: path).valueType, do: size))
        }
        return ranges
    }

    /// Pauses the work for the state while the gate withholds without installing a state: nothing
    /// starts, and work that a piece of state keeps alive pauses.
    ///
    /// The store asks again about actions that were accepted but not yet committed.
    public func pause(isolation: (any Actor)? = #isolation) {
        engine.reevaluate(gate, .travelled, on: isolation)
    }

    /// Makes the store live again from the state it shows, as far as this gate is concerned: what
    /// was paused starts again.
    ///
    /// Leaving does the same.
    public func resume(isolation: (any Actor)? = #isolation) {
        engine.reevaluate(gate, .live, on: isolation)
    }

    /// Makes the store ask again about actions that were accepted but not yet committed.
    ///
    /// Call it when the gate starts to withhold actions without installing a state.
    ///
    /// - Returns: The version that includes all actions accepted before; earlier answers don't
    ///   count.
    @discardableResult
    public func reevaluate() -> CommitVersion {
        engine.reevaluate(gate)
    }

    /// Whether this gate controls the store: not once it has left or the store was shut down.
    package var isAttached: Bool {
        engine.whole { $0.state.gates.contains(gate) && !$0.state.isClosed }
    }

    /// Removes the gate, which is no longer asked; the store keeps the state that it shows.
    public func detach() {
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
