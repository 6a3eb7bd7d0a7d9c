// SPDX-License-Identifier: MIT

extension Store {
    /// A store whose features only reduce: what replays a log before there is a store that runs.
    ///
    /// No effect starts, whatever the state says.
    package convenience init(
        replaying state: State, options: StoreOptions,
        @FeatureBuilder<State> _ features: () -> [any Part<State>]
    ) {
        let compiled = CompiledFeatures(
            for: State.self, features(), options.misuse, end: Reducers())
        let engine = Engine(state, options: options, features: compiled)
        self.init(engine: engine, getter: .root, address: .root, lifetime: Lifetime(of: engine))
    }
}
