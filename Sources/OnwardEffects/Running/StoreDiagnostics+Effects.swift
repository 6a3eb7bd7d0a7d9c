// SPDX-License-Identifier: MIT

public import OnwardCore

extension StoreDiagnostics {
    /// The effects of this store's slice that are at work or waiting to start, oldest first.
    ///
    /// A store at rest has only effects of ``While``, which makes this a test for leaks.
    public var runningEffects: [RunningEffect] {
        let own = store.address.components
        return store.engine.effects.list.filter { $0.address.components.starts(with: own) }
    }
}
