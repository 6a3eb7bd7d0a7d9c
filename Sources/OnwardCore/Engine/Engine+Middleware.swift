// SPDX-License-Identifier: MIT

// The way of an action through the middlewares of features, which ends in `finish`.

extension Engine {
    /// Sends an action through the middlewares of features, which the caller keeps.
    @inline(never)
    func runChain(of features: CompiledFeatures, _ dispatch: borrowing Dispatch) -> DispatchResult {
        ChainContext.with(self, features, dispatch) { chain in
            ThreadFrame.pushFirst(engine: id) { start(dispatch, chain, features.stages) }
                ?? runNestedChain(dispatch, chain, features.stages)
        }
    }

    /// Sends an action through the middlewares from inside something else.
    @inline(never)
    private func runNestedChain(
        _ dispatch: borrowing Dispatch, _ context: UnsafePointer<ChainContext>, _ stages: Stages
    ) -> DispatchResult {
        let outer = ThreadFrame.innermost(of: id)
        if outer?.kind == .replay { return refuseInsideReducer(dispatch) }
        let depth = (outer?.depth ?? 0) + 1
        let generation = (outer?.generation ?? -1) + 1
        // All that follow from one share a chain, however they come about.
        let chain =
            depth > 1 || generation > 0
            ? ThreadFrame.chain(of: id) ?? DispatchChain() : outer?.chain
        let left = options.limits.middlewareDepth - depth
        // Those that the first one dispatches are no answers to answers.
        let isAnswer = depth > 2 || generation > 1
        let remaining = withLock { locked in
            let remaining = isAnswer ? count(in: chain, left: left, locked) : left
            // What is committed in it must look for the frame.
            if remaining >= 0 { locked.state.callbacksInProgress += 1 }
            return remaining
        }
        guard remaining >= 0 else {
            return refuse(
                dispatch, after: chain,
                left < 0
                    ? ProgrammerError.middlewareLoop(limit: options.limits.middlewareDepth)
                    : ProgrammerError.middlewareLoop(total: options.limits.allAnswers))
        }
        defer { endCallback() }
        let link = link(dispatch, after: chain, remaining: remaining)
        return ThreadFrame.push(
            engine: id, version: outer?.version ?? 0, generation: outer?.generation ?? -1,
            depth: depth, chain: link, permit: outer?.permit
        ) { start(dispatch, context, stages) }
    }

    @inline(__always)
    private func start(
        _ dispatch: borrowing Dispatch, _ chain: UnsafePointer<ChainContext>, _ stages: Stages
    ) -> DispatchResult {
        let action = dispatch.action
        func open<A: Action>(_ type: A.Type) -> DispatchResult {
            start(Borrowed<A>.at(action).pointee, chain, stages)
        }
        return open(dispatch.type)
    }

    /// Not inlined: only a call passes a borrowed action on without copying it.
    @inline(never)
    private func start<A: Action>(
        _ action: borrowing Borrowed<A>, _ chain: UnsafePointer<ChainContext>, _ stages: Stages
    ) -> DispatchResult {
        MiddlewareStage.handle(action.value, at: stages.first, in: chain)
    }
}
