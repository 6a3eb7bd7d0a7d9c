// SPDX-License-Identifier: MIT

/// What a store says about itself, for tests, inspectors and reports; reading it changes
/// nothing.
///
/// From any thread.
public struct StoreDiagnostics<State: Sendable>: Sendable {
    package let store: Store<State>

    /// How many actions found only absent slices or rows, and so changed nothing.
    public var absences: UInt64 {
        let engine = store.engine
        return engine.whole { $0.state.absences }
    }
}

extension Store {
    /// What the store says about itself: what it does, what it keeps, what it missed.
    public var diagnostics: StoreDiagnostics<State> { StoreDiagnostics(store: self) }
}
