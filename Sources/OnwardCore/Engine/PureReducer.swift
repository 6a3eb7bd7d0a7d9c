// SPDX-License-Identifier: MIT

/// The reducers of a part, apart from any store: no middleware, no observer, no responder.
package struct PureReducer<State: Sendable>: Sendable {
    private let features: CompiledFeatures

    /// The reducers of a part; mistakes in it go to `misuse`.
    package init(_ part: some Part<State>, misuse: MisuseHandler) {
        features = CompiledFeatures(for: State.self, [part], misuse, end: Reducers())
    }

    /// Changes a state as an action does.
    ///
    /// - Returns: Whether any feature at the address handles such actions.
    package func reduce(
        _ state: inout State, _ action: some Action, to address: Address = .root
    ) -> Bool {
        func run<A: Action>(_ action: A) -> Route.Outcome {
            withUnsafeMutablePointer(to: &state) { state in
                withUnsafePointer(to: action) { pointer in
                    features.route(for: A.self)?.reduce(
                        UnsafeMutableRawPointer(state), UnsafeRawPointer(pointer), as: A.self,
                        to: address)
                }
            } ?? .unhandled
        }
        return run(action) != .unhandled
    }
}
