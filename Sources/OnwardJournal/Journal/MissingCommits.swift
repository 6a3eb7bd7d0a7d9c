// SPDX-License-Identifier: MIT

public import Onward

/// Commits that have no entries of their own: more came at once than may wait to be written, the
/// journal had failed, or the recording hadn't begun.
///
/// The entry that stands for them is an install: beside the state after the last of them it says
/// how many there were. A replay continues with that state. If there were too many, the entry is
/// named ``entryName``; one with which a recording begins or resumes has its own name.
public struct MissingCommits: Sendable, Hashable, CustomStringConvertible {
    /// The name of an entry that stands for commits of which too many came at once.
    public static let entryName = "Recording/gap"

    /// The names of entries that may stand for missing commits.
    static let entryNames: Set<String> = [
        entryName, "Recording/begin", "Recording/reset", "Recording/replay", "Recording/resume",
    ]

    /// How many commits have no entry.
    public let count: Int
    /// The first of them, by the version that the store gave it.
    public let first: CommitVersion
    /// The last of them, by the version that the store gave it.
    public let last: CommitVersion

    /// Creates a note about commits that were not written.
    ///
    /// - Parameters:
    ///   - count: How many of the versions in between would have had entries.
    ///   - first: The version of the first one.
    ///   - last: The version of the last one.
    public init(count: Int, first: CommitVersion, last: CommitVersion) {
        (self.count, self.first, self.last) = (count, first, last)
    }

    /// A sentence with the number and the versions.
    public var description: String {
        count == 1
            ? "1 commit is missing, the store's \(first)"
            : "\(count) commits are missing, the store's \(first) to \(last)"
    }
}

extension MissingCommits {
    /// The value that an install's payload has for them.
    package var value: DataValue {
        ["count": .integer(Int64(count)), "first": DataValue(first), "last": DataValue(last)]
    }

    /// Reads what ``value`` returns; nil for anything else.
    package init?(_ value: DataValue) {
        guard let count = value["count"]?.integer(as: Int.self), count >= 0,
            let first = value["first"]?.integer(as: CommitVersion.self),
            let last = value["last"]?.integer(as: CommitVersion.self), first <= last
        else { return nil }
        self.init(count: count, first: first, last: last)
    }
}

extension JournalEntry {
    /// The commits that the entry stands for; nil for an entry that recorded one commit.
    ///
    /// - Complexity: O(size of the payload) for an entry with which a recording begins, resumes or
    ///   goes on after a gap, O(1) for others.
    public var missing: MissingCommits? {
        guard kind == .install, MissingCommits.entryNames.contains(name) else {
            return nil
        }
        let limits = DataLimits(bytes: 256 << 20, depth: 128, elements: 50_000_000)
        let value =
            (try? DataFormat.cbor.value(of: payload, limits: limits))
            ?? (try? DataFormat.json.value(of: payload, limits: limits))
        return value?["missing"].flatMap { MissingCommits($0) }
    }
}
