// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import OnwardTesting

@testable import TestSupport

/// Holds callers until it is opened.
final class Gate: Sendable {
    private struct Contents {
        var isOpen = false
        var callers: [CheckedContinuation<Void, Never>] = []
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let contents = Guarded(Contents())

    func pass() async {
        await withCheckedContinuation { continuation in
            let (isOpen, watchers) = contents.withValue { contents in
                defer { contents.watchers = [] }
                if !contents.isOpen { contents.callers.append(continuation) }
                return (contents.isOpen, contents.watchers)
            }
            if isOpen { continuation.resume() }
            for watcher in watchers { watcher.resume() }
        }
    }

    /// Returns when a caller is held.
    func waitForCaller() async {
        await withCheckedContinuation { continuation in
            let isThere = contents.withValue { contents in
                if contents.callers.isEmpty { contents.watchers.append(continuation) }
                return !contents.callers.isEmpty
            }
            if isThere { continuation.resume() }
        }
    }

    func open() {
        let callers = contents.withValue { contents in
            contents.isOpen = true
            defer { contents.callers = [] }
            return contents.callers
        }
        for caller in callers { caller.resume() }
    }
}

/// A journal whose appends wait at a gate.
struct GatedJournal: ForwardingJournal {
    let base: MemoryJournal
    let gate: Gate

    func append(
        _ entries: [JournalEntry], after expected: JournalPosition
    ) async throws(JournalError) {
        await gate.pass()
        try base.append(entries, after: expected)
    }
}

/// A journal that breaks one promise.
struct BrokenJournal: ForwardingJournal {
    enum Fault: Sendable {
        /// Fails every append, and counts them.
        case fullDisk(Counter)
        /// Takes what is appended to a version that is not the last.
        case acceptsOtherVersions
        /// Keeps the first entry of several.
        case tearsAppends
        /// Gives pages that are too long.
        case ignoresLimits
        /// Gives the newest snapshot, whatever was asked for.
        case forgetsVersionsOfSnapshots
        /// Forgets what no snapshot covers.
        case truncatesBlindly
        /// Keeps snapshots of states that it never had.
        case ignoresPositions
        /// Reads nothing where entries were forgotten.
        case readsForgottenAsNothing
        /// Takes entries after its end.
        case neverEnds
        /// Acknowledges some appends that it does not keep, and fails some that it keeps in part.
        case losesSome(Counter)
    }

    let base: MemoryJournal
    let fault: Fault

    private func has(_ other: String) -> Bool { "\(fault)".hasPrefix(other) }

    func append(_ entries: [JournalEntry], after expected: JournalPosition) throws(JournalError) {
        switch fault {
        case .fullDisk(let calls):
            calls.add(1)
            throw JournalError(.storage, "The disk is full.")
        case .acceptsOtherVersions:
            let last = try base.lastPosition()
            try base.append(
                entries.enumerated().map {
                    $1.moved(to: last.version + 1 + CommitVersion($0), parent: $1.parent)
                }, after: last)
        case .tearsAppends: try base.append(Array(entries.prefix(1)), after: expected)
        case .neverEnds:
            do {
                try base.append(entries, after: expected)
            } catch  where error.code == .closed {
                return
            }
        case .losesSome(let calls):
            calls.add(1)
            if calls.total % 7 == 0 {
                try base.append(Array(entries.prefix(1)), after: expected)
                throw JournalError(.storage, "Torn.")
            }
            try base.append(entries, after: expected)
        default: try base.append(entries, after: expected)
        }
    }

    func entries(from version: CommitVersion, limit: Int) throws(JournalError) -> [JournalEntry] {
        if has("ignoresLimits") { return try base.entries(from: version, limit: .max) }
        guard has("readsForgottenAsNothing") else {
            return try base.entries(from: version, limit: limit)
        }
        do {
            return try base.entries(from: version, limit: limit)
        } catch  where error.code == .truncated {
            return []
        }
    }

    func snapshot(at version: CommitVersion) throws(JournalError) -> JournalSnapshot? {
        try base.snapshot(at: has("forgetsVersionsOfSnapshots") ? .max : version)
    }

    func store(
        _ snapshot: JournalSnapshot, at position: JournalPosition
    ) throws(JournalError) {
        if has("ignoresPositions") { return try base.store(snapshot) }
        try base.store(snapshot, at: position)
    }

    func truncate(before version: CommitVersion) throws(JournalError) {
        if has("truncatesBlindly"), try base.snapshot(at: .max) == nil {
            try base.store(
                JournalSnapshot(
                    version: version, fingerprint: FeatureFingerprint(rawValue: 0), payload: []))
        }
        try base.truncate(before: version)
    }
}
