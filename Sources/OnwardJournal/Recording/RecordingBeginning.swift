// SPDX-License-Identifier: MIT

internal import Onward

/// Where a recording begins.
enum RecordingBeginning: Sendable {
    /// Behind the last entry, which leads to the store's state.
    case behind(Version)
    /// Behind the last entry, which leads to the state that the store began with.
    case restored(behind: Version)
    /// Behind the last entry, which leads to a state from which the store's was made: that is installed.
    case resetting(behind: Version)
    /// Behind whatever there is, by installing the store's state.
    case resuming

    /// The last entry that there has to be; nil for any.
    var version: Version? {
        switch self {
        case .behind(let version), .restored(let version), .resetting(let version): version
        case .resuming: nil
        }
    }

    /// The name of the entry that installs the state of a store that has made so many commits; nil where the journal
    /// leads to that.
    func name(ofInstalling commits: Version) -> String? {
        switch self {
        case .behind: nil
        // What its effects have dispatched at once isn't recorded by itself.
        case .restored: commits > 0 ? "Recording/begin" : nil
        case .resetting: "Recording/reset"
        case .resuming: "Recording/resume"
        }
    }
}
