// SPDX-License-Identifier: MIT

/// A reducer of every action, whatever its type.
///
/// For adapters and tests; a feature uses ``Reduce``, which costs less and says what it handles.
/// With a `ReduceAny` in a store no action is unhandled.
public struct ReduceAny<State: Sendable>: Part {
    private let body: @Sendable (inout State, any Action) -> Void

    /// A reducer for all actions; runs as ``Reduce`` does.
    ///
    /// - Complexity: boxes the action, about 50 ns; typed reducers never pay for it.
    public init(_ body: @escaping @Sendable (inout State, any Action) -> Void) {
        self.body = body
    }

    /// Registers the closure for every type of action.
    public func register(in registration: inout Registration<State>) {
        registration.reduceAny(with: body)
    }
}
