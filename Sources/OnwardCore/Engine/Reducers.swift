// SPDX-License-Identifier: MIT

/// The end of each chain of middlewares: the gates and reducers of the engine that the action goes to.
struct Reducers: Middleware {
    func handle<A: Action>(
        _ action: A, in context: borrowing MiddlewareContext<Void>
    ) -> DispatchResult {
        let chain = context.chain
        return withUnsafePointer(to: action) { action in
            // Only engines begin chains, and each keeps itself meanwhile.
            chain.pointee.target._withUnsafeGuaranteedRef {
                unsafeDowncast($0, to: Engine.self).finish(
                    A.self, action, to: chain.pointee.borrowedAddress.pointee,
                    from: chain.pointee.borrowedOrigin.pointee,
                    on: chain.pointee.borrowedIsolation.pointee)
            }
        }
    }
}
