// SPDX-License-Identifier: MIT

/// What happens when a program misuses a store.
public struct MisuseHandler: Sendable {
    private let report: @Sendable (Misuse) -> Void

    /// A handler that runs `report` on the thread that made the mistake.
    ///
    /// A mistake inside a reducer is reported from there, while that store is locked: `report` must
    /// not use the store.
    ///
    /// When it returns, the store continues in a valid state and refuses what was asked; only a
    /// read from inside a reducer has no valid answer and stops the program all the same.
    public init(_ report: @escaping @Sendable (Misuse) -> Void) {
        self.report = report
    }

    /// Stops a debug build; writes the message to standard error and continues in a release build.
    ///
    /// For ``Misuse/Kind/passedReducer``, which may be intended, it continues in a debug build,
    /// too.
    public static let standard = MisuseHandler { misuse in
        if misuse.kind != .passedReducer { assertionFailure(misuse.description) }
        StandardError.say(misuse)
    }

    package func callAsFunction(_ misuse: Misuse) {
        report(misuse)
    }
}
