// SPDX-License-Identifier: MIT

package import Onward
package import OnwardJournal

/// What a node shows of a store: the fold of acknowledged entries.
///
/// Problem: an entry can be read before it is safe. A primary shows a row that its standby doesn't
/// have yet; if the primary dies then, the row never existed.
///
/// Strategy: what is read waits in ``ahead`` until someone whose append was acknowledged confirms
/// it, by a message or by an ``Ownership`` entry. The id of an entry implies everything before it,
/// so one acknowledged place vouches for everything up to it. Waiting entries that turn out to be
/// from a lost history are read again.
package struct Replica<Features: ClusterFeatures>: Sendable {
    package let features: Features
    private let window: Int
    /// What may be shown.
    package private(set) var fold: Fold<Features>
    /// What was read after that, without a gap.
    package private(set) var ahead: [JournalEntry] = []
    /// The last of these entries that names the owner of the store.
    private var ownershipAhead: Ownership?
    /// Up to where these entries themselves state that appends are acknowledged.
    private var vouched: CommitVersion = 0
    /// The last place that is known to be acknowledged; it may not have been read yet.
    package private(set) var acknowledged = JournalPosition.start
    /// What readers haven't been shown yet: what was folded, or that a snapshot replaced it all.
    private var news: Step?
    /// Why nothing more is folded: other features own the store from there on.
    package private(set) var foreign: FeatureFingerprint?
    /// Why nothing more is folded: an entry can't be read.
    package private(set) var failure: JournalError?

    package init(_ features: Features, window: Int) {
        self.features = features
        self.window = window
        fold = Fold(features, window: window)
    }

    /// The last entry that was read.
    package var end: JournalPosition { ahead.last?.position ?? fold.position }

    /// The owner of the store according to the last entry that was read, acknowledged or not.
    package var latestOwnership: Ownership? { ownershipAhead ?? fold.ownership }

    /// Whether something acknowledged still has to be read.
    package var isBehind: Bool { acknowledged.version > end.version }

    /// Handles what was read from the version of ``end`` on: the entry there must be the same.
    ///
    /// - Parameters:
    ///   - entries: The entries, in order.
    ///   - version: The first version that was asked for.
    /// - Returns: False if the journal that was read has another history than what is shown: it is
    ///   that of an outdated server.
    package mutating func read(_ entries: [JournalEntry], from version: CommitVersion) -> Bool {
        if entries.isEmpty, version > 0, version == end.version {
            // The journal is shorter than what was read: it lost its end.
            if ahead.isEmpty { return false }
            forgetAhead()
        }
        for entry in entries {
            if entry.version == fold.version, entry.id != fold.position.id { return false }
            guard entry.version > fold.version else { continue }
            let index = Int(entry.version - fold.version) - 1
            if index < ahead.count {
                if ahead[index].id == entry.id { continue }
                // Earlier entries may be lost as well.
                forgetAhead()
            }
            guard entry.version == end.version + 1 else { break }
            ahead.append(entry)
            note(entry)
        }
        advance()
        return true
    }

    /// Adds entries from a message of the owner, if they directly follow the last one read.
    package mutating func take(_ entries: [JournalEntry], after position: JournalPosition) {
        guard position == end, let first = entries.first else { return }
        _ = read(entries, from: first.version)
    }

    /// Handles the owner's statement that everything up to this place is acknowledged.
    package mutating func acknowledge(_ position: JournalPosition) {
        guard position.version > acknowledged.version else { return }
        acknowledged = position
        advance()
    }

    /// Removes and returns what is to be shown to readers.
    package mutating func takeNews() -> Step? {
        defer { news = nil }
        return news
    }

    /// Adopts a snapshot, which only exists for what is acknowledged; an older one changes nothing.
    package mutating func install(_ snapshot: JournalSnapshot) {
        guard snapshot.version > fold.version else { return }
        do {
            fold = try Fold(snapshot, features, window: window)
            news = .showState
            forgetAhead()
            failure = nil
            acknowledge(fold.position)
        } catch {
            failure = error
        }
    }

    /// An entry may state what was acknowledged when it was written.
    private mutating func note(_ entry: JournalEntry) {
        guard let ownership = Ownership(entry) else { return }
        ownershipAhead = ownership
        let mark = ownership.acknowledged
        guard mark.version > fold.version else { return }
        let index = Int(mark.version - fold.version) - 1
        if index < ahead.count, ahead[index].id == mark.id, mark.version > vouched {
            vouched = mark.version
        }
    }

    private mutating func forgetAhead() {
        (ahead, ownershipAhead, vouched) = ([], nil, 0)
    }

    private mutating func advance() {
        var target = min(vouched, end.version)
        let index = Int(acknowledged.version) - Int(fold.version) - 1
        if ahead.indices.contains(index) {
            guard ahead[index].id == acknowledged.id else {
                forgetAhead()
                return
            }
            target = max(target, acknowledged.version)
        }
        fold(to: target)
    }

    private mutating func fold(to target: CommitVersion) {
        guard target > fold.version else { return }
        let due = foldable(ahead.prefix(Int(target - fold.version)))
        var folded = 0
        do throws(JournalError) {
            for entry in due {
                try fold.apply(entry, features)
                folded += 1
            }
            failure = nil
        } catch {
            failure = error
        }
        note(folded: due.prefix(folded))
        ahead.removeFirst(folded)
    }

    private mutating func note(folded entries: ArraySlice<JournalEntry>) {
        guard !entries.isEmpty else { return }
        switch news {
        case .show(let before): news = .show(before + entries)
        case nil: news = .show(Array(entries))
        default: break  // The state includes them.
        }
    }

    /// What may be folded of acknowledged entries: nothing after an owner with other features,
    /// until one with ours follows.
    private mutating func foldable(_ due: ArraySlice<JournalEntry>) -> ArraySlice<JournalEntry> {
        var fingerprint = fold.ownership?.fingerprint ?? features.fingerprint
        var count = 0
        for (offset, entry) in due.enumerated() {
            if let ownership = Ownership(entry) { fingerprint = ownership.fingerprint }
            if fingerprint == features.fingerprint { count = offset + 1 }
        }
        foreign = fingerprint == features.fingerprint ? nil : fingerprint
        return due.prefix(count)
    }
}
