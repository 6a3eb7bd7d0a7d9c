// SPDX-License-Identifier: MIT

public import Onward

/// Identifies a state's features: a number that differs when the registered actions differ.
///
/// Replaying a log with other features may lead to another state. The code of a reducer cannot be
/// compared, so a program that changes one without changing its actions declares a new revision.
public struct FeatureFingerprint: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The number.
    public let rawValue: UInt64

    /// Recreates a fingerprint that was stored.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Computes the fingerprint of a store's features.
    ///
    /// - Parameters:
    ///   - actions: `StoreLog.actions`.
    ///   - revision: A text that the program changes whenever its reducers behave differently, such
    ///     as its own version.
    /// - Complexity: O(registered types).
    public init(of actions: ActionRegistry, revision: String = "") {
        var hash = FNV64()
        for name in actions.names {
            hash.add(name.utf8)
            let schema = actions.type(named: name).map { schemaVersion(of: $0) } ?? 1
            hash.add("\u{0}\(schema)\u{0}".utf8)
        }
        hash.add(revision.utf8)
        rawValue = hash.value
    }

    /// The number in 16 hexadecimal digits.
    public var description: String { digits(of: rawValue) }
}
