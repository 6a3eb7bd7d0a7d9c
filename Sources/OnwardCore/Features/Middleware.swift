// SPDX-License-Identifier: MIT

/// Sees every action before the reducers; may pass it on, change, delay or drop it, or add others.
///
/// Middleware runs on the dispatching thread, outside the store's lock, possibly on several threads
/// at once. It does not run during replay: the log stores what left the chain.
///
/// ```swift
/// struct Stopwatch<State: Sendable>: Middleware {
///     func handle<A: Action>(
///         _ action: A, in context: borrowing MiddlewareContext<State>
///     ) -> DispatchResult {
///         let start = ContinuousClock.now
///         let result = context.next(action)
///         print(A.actionName, start.duration(to: .now))
///         return result
///     }
/// }
/// ```
public protocol Middleware<State>: Part {
    /// The state of the feature that lists the middleware.
    ///
    /// Declared here again, so that it is inferred from ``handle(_:in:)``.
    associatedtype State

    /// Handles an action; calls `context.next` to pass it on, or returns
    /// ``DispatchResult/withheld`` to keep it.
    func handle<A: Action>(_ action: A, in context: borrowing MiddlewareContext<State>)
        -> DispatchResult
}

extension Middleware {
    /// Adds the middleware behind those that stand before it.
    public func register(in registration: inout Registration<State>) {
        registration.use(self)
    }
}
