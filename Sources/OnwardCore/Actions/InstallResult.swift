// SPDX-License-Identifier: MIT

/// What became of a state that was to be installed.
public enum InstallResult: Sendable, Hashable {
    /// The store shows it from this version on.
    case installed(Version)
    /// The store has come to another version than the one to be replaced; nothing changed.
    case outdated(by: Version)
    /// The store did not take the state; nothing changed.
    case refused(Refusal)

    /// The version of the commit, when there was one.
    public var version: Version? {
        guard case .installed(let version) = self else { return nil }
        return version
    }
}
