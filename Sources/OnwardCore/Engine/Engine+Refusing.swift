// SPDX-License-Identifier: MIT

// The ways in which an action does not arrive.

extension Engine {
    @inline(never)
    func refuseInsideReducer(_ dispatch: borrowing Dispatch) -> DispatchResult {
        options.report(.dispatchInsideReducer(dispatch.boxed.wireName, dispatch.origin))
        return .refused(.insideReducer)
    }

    /// Why an action was not reduced.
    enum Refused {
        /// A slice or a row on the way to each of its reducers is absent.
        case absent
        case unhandled(by: CompiledFeatures)
        /// A check of these features has refused it in the state of a version.
        case failedCheck(CheckFailure, at: CommitVersion, of: CompiledFeatures)
        case shutDown
        /// What dispatched it has ended.
        case expired
        /// Its dispatcher is a reducer that runs again on another state.
        case replaying
        /// Subscribers answer each other without an end.
        case tooDeep(ChainPosition)
        /// Gates dispatch without an end.
        case commitGateLoop(DispatchChain?)
        /// Gates decide anew each time they are asked.
        case endlessTurns(DispatchChain?)
    }

    /// Why an action was not reduced, from the outcome of its route.
    func refused(_ outcome: Route.Outcome, _ locked: borrowing Locked) -> Refused {
        if outcome == .absent {
            locked.state.absences += 1
            return .absent
        }
        return locked.state.isClosed ? .shutDown : .unhandled(by: locked.state.features)
    }

    /// Returns what becomes of an action that was not reduced, and reports mistakes.
    @inline(never)
    func refuse(_ refused: Refused, _ dispatch: borrowing Dispatch) -> DispatchResult {
        switch refused {
        case .absent: return .refused(.absent)
        case .shutDown: return .refused(.shutDown)
        case .expired: return .refused(.expired)
        case .replaying: return refuseInsideReducer(dispatch)
        case .failedCheck(let failure, let version, let features):
            return note(
                RefusedAction(
                    action: dispatch.boxed, address: dispatch.address, reason: failure.reason,
                    origin: dispatch.origin, version: version), of: features, dispatch)
                ?? .refused(.failedCheck(failure))
        case .unhandled(let features):
            options.report(
                .unhandledAction(
                    dispatch.boxed.wireName, address: dispatch.address,
                    places: features.route(for: dispatch.type)?.places ?? [],
                    known: features.actions.names, dispatch.origin
                ))
            return .refused(.unhandled)
        case .tooDeep(let position):
            return refuse(
                dispatch, after: position.chain,
                position.isTooLong
                    ? ProgrammerError.subscriberLoop(limit: options.limits.generations)
                    : ProgrammerError.subscriberLoop(total: options.limits.allAnswers))
        case .commitGateLoop(let chain):
            return refuse(
                dispatch, after: chain,
                ProgrammerError.commitGateLoop(limit: options.limits.middlewareDepth))
        case .endlessTurns(let chain):
            return refuse(dispatch, after: chain, ProgrammerError.endlessTurns)
        }
    }

    /// Keeps what was refused, and calls who wants to know; returns a refusal where these calls have led to too many
    /// others.
    private func note(
        _ refused: RefusedAction, of features: CompiledFeatures, _ dispatch: borrowing Dispatch
    ) -> DispatchResult? {
        let name = refused.reason.wireName
        // Released outside the lock, as what an action refers to may use the store when it goes.
        let forgotten = withLock { locked in
            locked.state.callbacksInProgress += 1
            return locked.state.refusals.note(refused, named: name)
        }
        defer {
            endCallback()
            withExtendedLifetime(forgotten) {}
        }
        let observers = features.refusalObservers.filter {
            $0.lens.isOnTheWay(of: refused.address)
        }
        guard !observers.isEmpty else { return nil }
        let outer = ThreadFrame.innermost(of: id)
        let depth = (outer?.depth ?? 0) + 1
        let chain = outer?.chain ?? DispatchChain()
        let limit = options.limits.middlewareDepth
        let remaining =
            depth > 1 ? withLock { count(in: chain, left: limit - depth, $0) } : limit - depth
        guard remaining >= 0 else {
            return refuse(dispatch, after: chain, ProgrammerError.refusalLoop(limit: limit))
        }
        let link = DispatchChain(refused.action, after: chain)
        ThreadFrame.push(
            engine: id, version: outer?.version ?? 0, generation: outer?.generation ?? -1,
            depth: depth, chain: link, permit: outer?.permit
        ) {
            for observer in observers { observer.body(refused) }
        }
        return nil
    }

    /// Refuses an action that makes a chain too long, and reports that once for all branches of the
    /// chain.
    @inline(never)
    func refuse(
        _ dispatch: borrowing Dispatch, after chain: DispatchChain?,
        _ mistake: (_ names: [String]) -> ProgrammerError
    ) -> DispatchResult {
        let link = DispatchChain(dispatch.boxed, after: chain ?? DispatchChain())
        let isKnown = withLock { _ in
            defer { link.beginning.isReported = true }
            return link.beginning.isReported
        }
        if !isKnown { options.report(mistake(link.names(Self.reportedActions))) }
        return .refused(.tooDeep)
    }
}
