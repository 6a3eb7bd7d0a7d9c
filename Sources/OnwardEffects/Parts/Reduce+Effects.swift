// SPDX-License-Identifier: MIT

public import OnwardCore

extension Reduce {
    /// A reducer that returns an effect, as in other libraries.
    @available(
        *, unavailable,
        message: "a reducer returns nothing: leave out return; an OnAction returns effects"
    )
    @_disfavoredOverload
    public init<A: Action>(_ body: @escaping @Sendable (inout State, A) -> Effect) {
        self.init { (state: inout State, action: A) in _ = body(&state, action) }
    }
}
