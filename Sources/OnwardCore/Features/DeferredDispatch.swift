// SPDX-License-Identifier: MIT

/// The rest of an action's way through the middlewares, for a middleware that holds it back.
///
/// A middleware that delays returns ``DispatchResult/withheld`` and passes the action on through
/// this later, once or several times, on any thread.
public struct DeferredDispatch: Sendable {
    private let dispatcher: any Dispatcher
    /// The features with which the action began its way.
    private let features: CompiledFeatures
    private let address: Address
    private let origin: Origin
    /// The number of the next stage.
    private let next: Int

    init(_ chain: ChainContext, behind position: UnsafePointer<MiddlewareStage>) {
        dispatcher = chain.dispatcher
        features = chain.features
        address = chain.address
        origin = chain.origin
        next = position - features.stages.first + 1
    }

    /// Passes an action on to the next middleware, or, after the last one, to the reducers.
    @discardableResult
    public func next<A: Action>(_ action: A) -> DispatchResult {
        // The actor of the first dispatch means nothing later and elsewhere.
        withExtendedLifetime(self) {
            ChainContext.with(dispatcher, features, address, origin, nil) {
                MiddlewareStage.handle(action, at: features.stages.first + next, in: $0)
            }
        }
    }
}
