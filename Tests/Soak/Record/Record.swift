// SPDX-License-Identifier: MIT

import Onward

/// What was seen while a history ran.
///
/// Moments are stamps: numbers that grow with every event.
struct Record: Sendable {
    struct Call: Sendable {
        var begin: Int
        var end: Int?
        var old: Int
        var new: Int
        /// The thread was inside another call of the same listener, or another thread was.
        var isSecond = false
        /// Since when a batch was open.
        var batchOpenSince: Int?
        /// The last version that had been committed when the call began, where it is known.
        var version: Int?
    }

    struct Cancel: Sendable {
        enum Kind: Sendable { case elsewhere, waited, own }

        var begin: Int
        var end: Int?
        var kind: Kind
    }

    struct Listener: Sendable {
        enum Kind: Sendable, Equatable {
            case subscriber
            /// A reader of a sequence; one that loses the newest values need not end with the last one.
            case sequence(losesNewest: Bool, losesAny: Bool)
            case watcher
        }

        var name: String
        var kind: Kind = .subscriber
        var selection: Selection
        var isIsolated: Bool
        var initially: Bool
        var begin: Int
        /// When `subscribe` had returned.
        var end: Int?
        var versionBefore: Int?
        var versionAfter: Int?
        var calls: [Call] = []
        var cancels: [Cancel] = []
        /// Whether the actor or object is gone, or its reader has read enough.
        var isGone = false
    }

    /// A reader that tracks a value with Observation.
    struct Tracking: Sendable {
        var selection: Selection
        /// How often it has read.
        var turn = 0
        /// Nil while it reads.
        var lastRead: Int?
        /// Whether it has not been notified of a change since it read.
        var isArmed = false
        /// Whether something was committed after it began to read and before it began to wait.
        var mayMiss = false
    }

    struct Wait: Sendable {
        var name: String
        var begin: Int
        var end: Int?
        /// Whether it must be over when nothing runs any more; otherwise when the store has ended.
        var endsAtRest: Bool
    }

    /// An effect that a store was given.
    struct Submission: Sendable {
        var plan: EffectPlan
        var instance: String
        var at: Int
    }

    /// A body of an effect at work.
    struct Run: Sendable {
        var serial: Int
        var instance: String
        var begin: Int
        var end: Int?
    }

    /// A body of a `While` at work.
    struct Keeping: Sendable, Hashable {
        var what: String
        var value: Int
        var birth: Int
        var features: Int
    }

    /// An action that checks look at.
    struct Claim: Sendable {
        enum Result: Sendable, Equatable {
            case accepted(Int)
            case refused(String)
            /// It was withheld, or the store had ended.
            case neither
        }

        var claiming: Claiming
        /// In whose name it was dispatched.
        var author: String?
        /// Which checks have looked at it, in their order, and at what.
        var checks: [Int] = []
        var checkedFacts: Desk.Facts?
        /// What was there each time it was reduced.
        var reductions: [Desk.Facts] = []
        /// The reasons that the store's observer of refusals was told.
        var seen: [String] = []
        /// What `dispatch` has returned; nil if it has not.
        var result: Result?
    }

    struct Rest: Sendable {
        /// When it was seen; on real threads something may come after it.
        var at = Int.max
        var values: [Selection: Int]
        var keepings: [Keeping]
        var expected: [Keeping]
        var runningEffects: [String]
        /// The edition of the features that reduce.
        var features: Int
        /// What claims have left behind.
        var desk = Desk()
        /// How many refusals the store has counted.
        var refusals = 0
    }

    struct Entries: Sendable {
        var versions: [Int] = []
        /// What replaying them from the first state gives, and what is there; nil where it makes no sense.
        var replayed: [Selection: Int]?
    }

    struct ClaimEntry: Sendable {
        var serial: Int
        var version: Int
        var stamp: EntryStamp?
    }

    var history: History
    /// The values of each reading by version, for histories with an observer.
    var values: [Selection: [Int]] = [:]
    var listeners: [Listener] = []
    var trackings: [Tracking] = []
    var waits: [Wait] = []
    var submissions: [Submission] = []
    var runs: [Run] = []
    var entries: [Entries] = []
    /// The claims by their serials.
    var claims: [Int: Claim] = [:]
    /// The entries of claims: their serials, versions and stamps.
    var claimEntries: [ClaimEntry] = []
    var rest: Rest?
    /// When the end was called for, and when `shutdown` had returned.
    var closing: Int?
    var ended: Int?
    /// What remained after the end, by kind.
    var remaining: [String: Int] = [:]
    /// What was wrong where it was noticed.
    var noticed: [String] = []
    var deadlock: [String] = []
    var isEndless = false
    var points = 0
}
