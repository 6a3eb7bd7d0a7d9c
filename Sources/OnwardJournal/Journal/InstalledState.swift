// SPDX-License-Identifier: MIT

internal import Onward

/// What an entry of the kind ``JournalEntry/Kind/install`` says about the state that was installed.
///
/// In the payload it is an object: `{"shown": 3}`, `{"state": …}`, or `{"base": 12, "difference": …}`.
enum InstalledState: Sendable, Hashable {
    /// The state of an earlier version of the journal, 0 for that before the first entry.
    case shown(Version)
    /// The state itself.
    case state(DataValue)
    /// What differs from the state that an earlier install has itself.
    case difference(DataDifference, base: Version)

    /// The state of an earlier version, which entries before the install lead to; nil for one that the payload has.
    var shown: Version? {
        guard case .shown(let version) = self else { return nil }
        return version
    }

    /// What stands in the payload.
    var value: DataValue {
        switch self {
        case .shown(let version): ["shown": DataValue(version)]
        case .state(let state): ["state": state]
        case .difference(let difference, let base):
            ["base": DataValue(base), "difference": difference.value]
        }
    }

    /// What stands in a payload; nil for anything else.
    init?(_ value: DataValue) {
        if let state = value["state"] {
            self = .state(state)
        } else if let version = value["shown"]?.integer(as: Version.self) {
            self = .shown(version)
        } else if let base = value["base"]?.integer(as: Version.self),
            let difference = value["difference"].flatMap({ DataDifference($0) })
        {
            self = .difference(difference, base: base)
        } else {
            return nil
        }
    }
}
