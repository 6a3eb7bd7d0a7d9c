// SPDX-License-Identifier: MIT

/// The end of each chain of middlewares: the gates and reducers of the engine that the action goes to.
struct ChainEnd: Middleware {
    func handle<A: Action>(
        _ action: A, in context: borrowing MiddlewareContext<Void>
    ) -> DispatchResult {
        let chain = context.chain
        return chain.pointee.dispatch.pointee.with(action) { dispatch in
            // Only engines begin chains, and each keeps itself meanwhile.
            chain.pointee.target._withUnsafeGuaranteedRef {
                unsafeDowncast($0, to: Engine.self).finish(dispatch)
            }
        }
    }
}
