// SPDX-License-Identifier: MIT

/// The reducers of a part, apart from any store: no middleware, no observer, no responder.
package struct PureReducer<State: Sendable>: Sendable {
    private let features: CompiledFeatures

    /// The reducers of a part; mistakes in it go to `onProgrammerError`.
    package init(
        _ part: some Part<State>, onProgrammerError: @escaping @Sendable (ProgrammerError) -> Void
    ) {
        self.init([part], onProgrammerError: onProgrammerError)
    }

    /// The reducers of all parts of a store.
    package init(
        _ parts: [any Part<State>], onProgrammerError: @escaping @Sendable (ProgrammerError) -> Void
    ) {
        var options = StoreOptions()
        options.onProgrammerError = onProgrammerError
        features = CompiledFeatures(for: State.self, parts, options, end: ChainEnd())
    }

    /// What the part registers besides, for layers above the core.
    package var extensions: [any FeatureExtension] { features.extensions }

    /// Why a check refuses an action in a state; nil if none does.
    package func failure(
        of action: some Action, on state: State, to address: Address = .root
    ) -> CheckFailure? {
        withUnsafePointer(to: state) {
            features.failure(of: action, on: UnsafeRawPointer($0), to: address)
        }
    }

    /// Changes a state as an action does.
    ///
    /// `stamp` is what the action was given; asked for where a reducer does.
    ///
    /// - Returns: Whether any feature at the address handles such actions.
    package func reduce(
        _ state: inout State, _ action: some Action, to address: Address = .root,
        stamp: @autoclosure () -> Stamp
    ) -> Bool {
        withUnsafeMutablePointer(to: &state) {
            features.reduce(UnsafeMutableRawPointer($0), action, to: address, stamp: stamp())
                != .unhandled
        }
    }
}
