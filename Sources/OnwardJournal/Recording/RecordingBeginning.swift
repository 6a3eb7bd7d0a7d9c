// SPDX-License-Identifier: MIT

internal import Onward

/// Where a recording begins.
enum RecordingBeginning: Sendable {
    /// After the last entry, which leads to the store's state.
    case behind(CommitVersion)
    /// After the last entry, which leads to the state that the store began with.
    case restored(behind: CommitVersion)
    /// After the last entry, whose state the store's was made from; the store's state is installed.
    case resetting(behind: CommitVersion)
    /// After the last entry; the store's state is installed, as snapshots in the journal lead to
    /// another one.
    case replaying(behind: CommitVersion)
    /// After whatever there is, by installing the store's state.
    case resuming

    /// The last entry that must be there; nil for any.
    var version: CommitVersion? {
        switch self {
        case .behind(let version), .restored(let version), .resetting(let version),
            .replaying(let version):
            version
        case .resuming: nil
        }
    }

    /// Whether a snapshot has to be stored, whatever the newest one is.
    var needsSnapshot: Bool {
        if case .replaying = self { true } else { false }
    }

    /// The name of the entry that installs the state of a store with this many commits; nil if the
    /// journal already leads to that state.
    func name(ofInstalling commits: CommitVersion) -> String? {
        switch self {
        case .behind: nil
        // What its effects dispatched immediately isn't recorded separately.
        case .restored: commits > 0 ? "Recording/begin" : nil
        case .resetting: "Recording/reset"
        case .replaying: "Recording/replay"
        case .resuming: "Recording/resume"
        }
    }
}
