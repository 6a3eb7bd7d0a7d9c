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
                    ? Misuse.subscriberLoop(limit: options.limits.generations)
                    : Misuse.subscriberLoop(total: options.limits.allAnswers))
        case .commitGateLoop(let chain):
            return refuse(
                dispatch, after: chain,
                Misuse.commitGateLoop(limit: options.limits.middlewareDepth))
        case .endlessTurns(let chain):
            return refuse(dispatch, after: chain, Misuse.endlessTurns)
        }
    }

    /// Refuses an action that makes a chain too long, and reports that once for all branches of the
    /// chain.
    @inline(never)
    func refuse(
        _ dispatch: borrowing Dispatch, after chain: DispatchChain?,
        _ misuse: (_ names: [String]) -> Misuse
    ) -> DispatchResult {
        let link = DispatchChain(dispatch.boxed, after: chain ?? DispatchChain())
        let isKnown = withLock { _ in
            defer { link.beginning.isReported = true }
            return link.beginning.isReported
        }
        if !isKnown { options.report(misuse(link.names(Self.reportedActions))) }
        return .refused(.tooDeep)
    }
}
