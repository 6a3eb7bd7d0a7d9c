// SPDX-License-Identifier: MIT

// How commit gates are asked about an action, and what they change: who is asked, and which state
// the store shows.

extension Engine {
    // MARK: Asking

    /// What the gates of a store are asked about an action, and how often they were.
    ///
    /// They are asked outside the lock, so their answer counts only while its turn lasts; otherwise
    /// an action could land on a state that was installed meanwhile. Where each question makes a
    /// new turn, the action is refused after a while.
    struct CommitGateQuestion {
        private(set) var isBegun = false
        /// What the dispatch is inside of.
        private(set) var outer: EnclosingFrame?
        var depth: Int { (outer?.frame.depth ?? 0) + 1 }
        /// The chain of the question; nil before it is asked, or where there is none.
        var chain: DispatchChain?
        /// Those that are to be asked next, and in which turn.
        var gates: [AnyCommitGate]?
        var turn: UInt64 = 0
        private var attempts = 0
        /// Whether there is no end of turns.
        var isEndless: Bool { attempts == ProgrammerError.turns }
        /// Whether the chain counted it.
        var isCounted = false

        mutating func begin(inside outer: EnclosingFrame?) {
            isBegun = true
            self.outer = outer
        }

        /// Whether there are gates that have not answered in their present turn.
        func isOpen(for all: borrowing CommitGateChain) -> Bool {
            if all.isEmpty { return false }
            return attempts == 0 || turn != all.turn
        }

        /// Takes those that are to be asked.
        mutating func take() -> [AnyCommitGate] {
            attempts += 1
            return gates.take() ?? []
        }
    }

    /// Prepares to ask the gates: `.withCare`, or a refusal where questions have led to too many
    /// questions.
    func prepare(
        _ question: inout CommitGateQuestion, _ dispatch: borrowing Dispatch,
        _ locked: borrowing Locked
    ) -> Committed {
        if !question.isCounted {
            question.isCounted = true
            let depth = question.depth
            let chain =
                depth > 1
                ? ThreadFrame.chain(of: id) ?? DispatchChain() : question.outer?.frame.chain
            let left = options.limits.middlewareDepth + 1 - depth
            let remaining = depth > 1 ? count(in: chain, left: left, locked) : left
            guard remaining >= 0 else { return .refused(.commitGateLoop(chain)) }
            question.chain = link(dispatch, after: chain, remaining: remaining)
        }
        guard !question.isEndless else { return .refused(.endlessTurns(question.chain)) }
        question.gates = locked.state.gates.attached
        question.turn = locked.state.gates.turn
        // Until they have answered, the store must not count as at rest.
        locked.state.callbacksInProgress += 1
        return .withCare
    }

    /// Asks the gates; whether they accept the action.
    func ask(
        _ question: inout CommitGateQuestion, about pending: PendingCommit
    ) -> Bool {
        defer { endCallback() }
        // The last reference to a gate that leaves meanwhile is released here.
        let gates = question.take()
        return ThreadFrame.push(
            engine: id, version: question.outer?.frame.version ?? 0,
            generation: question.outer?.frame.generation ?? -1, depth: question.depth,
            chain: question.chain, permit: question.outer?.frame.permit
        ) { gates.accepts(pending) }
    }

    // MARK: Coming, leaving, deciding differently

    /// Has a gate asked from the next action on, behind those that came before it.
    func attach(_ gate: AnyCommitGate) {
        withLockUnlessReducing(as: .attach) { $0.state.gates.add(gate) }
    }

    func reevaluate(_ gate: AnyCommitGate) -> CommitVersion {
        whole { locked in
            locked.state.gates.reevaluate(gate)
            return locked.state.version
        }
    }

    /// A gate decides differently from here on, with the store travelled or live.
    func reevaluate(_ gate: AnyCommitGate, _ state: CommitGateState, on here: (any Actor)?) {
        changeCommitGates(on: here) { $0.reevaluate(gate, state) }
    }

    func remove(_ gate: AnyCommitGate) {
        changeCommitGates(on: nil) { $0.remove(gate) }
    }

    /// Changes the gates, and has participants notified, in turn with the deliveries, whether the
    /// store lives.
    private func changeCommitGates(
        on here: (any Actor)?, _ change: (inout CommitGateChain) -> Bool
    ) {
        let thread = CurrentThread.id
        let isMine = withLockUnlessReducing { locked in
            guard change(&locked.state.gates) else { return false }
            let parts = parts(of: locked.state.gates.state, locked)
            return submit(
                [], parts, DeliveryContext(version: locked.state.version), thread, locked)
        }
        if isMine == true { makeRounds(on: here, thread) }
    }

    // MARK: Installing a state

    /// Makes the store show a state in place of the one of a version.
    func install(
        _ state: UnsafeRawPointer, as travel: Travel, resuming isLive: Bool,
        touching ranges: [Range<Int>]?, by gate: AnyCommitGate,
        from origin: ActionOrigin, on here: (any Actor)?
    ) -> DispatchResult {
        Dispatch.with(travel, to: .root, from: origin, on: here) {
            install(state, as: travel, resuming: isLive, touching: ranges, by: gate, $0)
        }
    }

    private func install(
        _ state: UnsafeRawPointer, as travel: Travel, resuming isLive: Bool,
        touching ranges: [Range<Int>]?, by gate: AnyCommitGate, _ dispatch: borrowing Dispatch
    ) -> DispatchResult {
        let thread = CurrentThread.id
        guard !isReducing(thread) else {
            reportReading()
            return .refused(.insideReducer)
        }
        // Kept so that what goes with the old state may use the store.
        var before: ValueCopy?
        defer { withExtendedLifetime(before) {} }
        var commit = LoggedCommit()
        while true {
            var current: CommitVersion?
            var isMine = false
            let installed = withLock(as: thread) { locked -> Committed in
                guard locked.state.gates.contains(gate), !locked.state.isClosed else {
                    return .refused(.shutDown)
                }
                if commit.needsPreparation(for: locked.state.commitLog) { return .withCare }
                guard locked.state.version == travel.replaced else {
                    current = locked.state.version
                    return .withCare
                }
                let outer = locked.state.callbacksInProgress > 0 ? ThreadFrame.place(of: id) : nil
                let position = chainPosition(within: outer, locked)
                guard position.remaining >= 0 else { return .refused(.tooDeep(position)) }
                let (root, stateType) = (locked.state.root, locked.state.stateType)
                before = ValueCopy(of: root, stateType)
                stateType.assign(root, from: state)
                locked.state.gates.reevaluate(gate, isLive ? .live : .travelled)
                let chain = link(
                    dispatch, after: position.chain, remaining: position.remaining)
                return seal(
                    dispatch, .travel,
                    at: CommitPlace(
                        outer: outer, position: position, chain: chain, time: commit.time,
                        before: before), thread, locked
                ) { context in
                    locked.state.reductionMark?.end(context.version)
                    let parts = parts(of: locked.state.gates.state, locked)
                    var groups = locked.state.index.groups
                    if let ranges {
                        groups.removeAll { group in !ranges.contains { group.reads($0) } }
                    }
                    isMine = submit(groups, parts, context, thread, locked)
                }
            }
            if let current { return .refused(.outdated(by: current)) }
            if commit.isUnprepared {
                prepare(&commit, thread)
                continue
            }
            return follow(installed, isMine, dispatch, thread)
        }
    }
}
