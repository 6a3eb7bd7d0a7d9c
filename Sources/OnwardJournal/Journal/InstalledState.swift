// SPDX-License-Identifier: MIT

internal import Onward

/// What an entry of the kind ``JournalEntry/Kind/install`` records about the installed state.
///
/// The payload is an object: `{"shown": 3}`, `{"state": …}`, `{"missing": …, "state": …}`, or
/// `{"base": 12, "difference": …}`.
enum InstalledState: Sendable, Hashable {
    /// The state of an earlier version of the journal, or 0 for the one before the first entry.
    case shown(CommitVersion)
    /// The state itself, and the commits without entries that led to it.
    case state(DataValue, missing: MissingCommits? = nil)
    /// The difference from the state that an earlier install holds itself.
    case difference(DataDifference, base: CommitVersion)

    /// The earlier version whose state is shown again; nil if the payload holds the state.
    var shown: CommitVersion? {
        guard case .shown(let version) = self else { return nil }
        return version
    }

    /// The value for the payload.
    var value: DataValue {
        switch self {
        case .shown(let version): ["shown": DataValue(version)]
        case .state(let state, nil): ["state": state]
        case .state(let state, let missing?): ["missing": missing.value, "state": state]
        case .difference(let difference, let base):
            ["base": DataValue(base), "difference": difference.value]
        }
    }

    /// Reads the value of a payload; nil for anything else.
    init?(_ value: DataValue) {
        if let state = value["state"] {
            self = .state(state, missing: value["missing"].flatMap { MissingCommits($0) })
        } else if let version = value["shown"]?.integer(as: CommitVersion.self) {
            self = .shown(version)
        } else if let base = value["base"]?.integer(as: CommitVersion.self),
            let difference = value["difference"].flatMap({ DataDifference($0) })
        {
            self = .difference(difference, base: base)
        } else {
            return nil
        }
    }
}
