// SPDX-License-Identifier: MIT

/// An operating error of a store.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong.
    ///
    /// There is one code so far; others may come, such as for a wait that took too long.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String { case ended }
        private let kind: Kind

        /// The name of the code.
        public var description: String { kind.rawValue }

        /// The store ended before the awaited event happened.
        public static let ended = Code(kind: .ended)
    }

    /// What went wrong.
    public let code: Code
    /// A sentence about it.
    public let description: String

    static let ended = StoreError(
        code: .ended, description: "The store ended before the state fulfilled the condition.")
}

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
