// SPDX-License-Identifier: MIT

internal import Foundation
public import Onward
public import OnwardJournal

/// A user's session in one file: a state, and the entries that came after it.
///
/// A person sends it, and its reader has the run itself, because a state is the fold of its log:
///
/// ```swift
/// let report = try Report(contentsOf: "problem.onwardreport")
/// let shortest = try report.shortest(in: bank) { (bank: Bank) in bank.balance < 0 }
/// print(try shortest.testSource(named: "the balance is never negative", …))
/// ```
public struct Report: Sendable, Hashable {
    /// The version of the format; higher by one with each change that older programs can't read.
    public static let format = 1
    /// The maximum size of a file, unless another limit is given: 8 MiB.
    public static let sizeLimit = 8 << 20

    /// The state before the first entry.
    public var start: JournalSnapshot
    /// What was committed after it, in order; their payloads are CBOR.
    public var entries: [JournalEntry]
    /// The name and the version of the app.
    public var app: String
    /// The system that it ran on.
    public var system: String
    /// How the session ended, as far as it is known.
    public var ending: Ending
    /// The digests of the states that the entries lead to, by the version of the entry.
    public var digests: [CommitVersion: StateDigest]
    /// A hash of the state after each entry, so that a difference has a version; empty if they
    /// weren't made.
    public var hashes: [CommitVersion: UInt64]
    /// The digests that the recorder's alarm made of the states, by version; see ``RollingDigest``.
    public var alarms: [CommitVersion: UInt64]
    /// What redaction did; nil for a report that was never redacted.
    public var redaction: RedactionSummary?

    /// The version of the last entry, or of the state at the beginning if there is none.
    public var end: CommitVersion { entries.last?.version ?? start.version }

    /// The features that recorded the entries.
    public var fingerprint: FeatureFingerprint { start.fingerprint }

    /// Creates a report of entries that come from elsewhere, such as a journal.
    ///
    /// - Parameters:
    ///   - start: The state before the first entry.
    ///   - entries: What was committed after it, in order, written as CBOR.
    ///   - app: The name and the version of the app.
    ///   - system: The system that it ran on.
    public init(
        from start: JournalSnapshot, _ entries: [JournalEntry], app: String = "",
        system: String = Report.presentSystem
    ) {
        self.start = start
        self.entries = entries
        self.app = app
        self.system = system
        ending = Ending()
        (digests, hashes, alarms) = ([:], [:], [:])
    }

    /// The system that this program runs on.
    public static var presentSystem: String {
        ProcessInfo.processInfo.operatingSystemVersionString
    }

    /// How a session ended.
    public struct Ending: Sendable, Hashable {
        /// The action that was being reduced when the program died; nil if none was.
        public var reduced: ReducedAction?
        /// How many commits have no entries: those of ``Report/gaps``, and those of the last moments.
        public var missing = 0
        /// How many entries could not be encoded; from the first of them on, the states may differ.
        public var unencoded = 0

        /// Creates an ending of which nothing is known.
        public init() {}
    }

    /// An action that was being reduced when the program died.
    public struct ReducedAction: Sendable, Hashable {
        /// The name of its type.
        public var name: String
        /// Where it was dispatched.
        public var origin: ActionOrigin
        /// The version that its commit would have had.
        public var version: CommitVersion
        /// Its payload as CBOR; nil unless the recorder was asked to keep it.
        public var payload: [UInt8]?

        /// An action of a recording.
        package init(
            name: String, origin: ActionOrigin, version: CommitVersion, payload: [UInt8]? = nil
        ) {
            (self.name, self.origin, self.version) = (name, origin, version)
            self.payload = payload
        }
    }
}
