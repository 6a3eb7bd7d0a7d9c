// SPDX-License-Identifier: MIT

/// The reducer of one type of action: how a state answers what happened.
///
/// The closure must be pure: its result depends on the state and the action alone. It runs under
/// the store's lock, on the dispatching thread, and changes the state in place.
public struct Reduce<State: Sendable, A: Action>: Part {
    private let body: @Sendable (inout State, A) -> Void

    /// A reducer for actions of type `A`.
    public init(_ body: @escaping @Sendable (inout State, A) -> Void) {
        self.body = body
    }

    /// Registers the closure for `A`.
    public func register(in registration: inout Registration<State>) {
        registration.reduce(A.self, with: body)
    }
}
