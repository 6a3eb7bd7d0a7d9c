// SPDX-License-Identifier: MIT

public import Onward

/// What something that was stored survives.
public enum Durability: Int, Sendable, Hashable, Comparable {
    /// Nothing: it is gone with the program.
    case memory
    /// The end of the program, even by SIGKILL; a power failure may take the last moments.
    case written
    /// A power failure, too: it is on the disk.
    case synced

    /// Whether one survives less than the other.
    public static func < (one: Durability, other: Durability) -> Bool {
        one.rawValue < other.rawValue
    }
}

/// Something that keeps what a store commits: a recording to a journal, the saved slices, or one of your own.
///
/// ```swift
/// store.log.attach(keeper: mirror)      // from here on `dispatch(…, durable:)` waits for it as well
/// ```
public protocol CommitKeeper: AnyObject, Sendable {
    /// What is kept survives this much.
    var durability: Durability { get }
    /// Whether every commit is kept, or only a part of the state.
    var keepsEverything: Bool { get }
    /// Returns when everything that was committed before the call is kept.
    ///
    /// - Throws: Why it isn't.
    func flush() async throws
}

extension CommitKeeper {
    /// Every commit, unless it says otherwise.
    public var keepsEverything: Bool { true }
}

/// Why it can't be said that a commit is kept.
public struct DurabilityError: Error, CustomStringConvertible {
    /// What went wrong.
    public enum Code: Sendable, Hashable {
        /// Nothing keeps what the store commits; nothing was dispatched.
        case notKept
        /// What keeps it survives less than was asked for; nothing was dispatched.
        case weaker(Durability)
        /// It could not be stored, or nobody can know: see ``DurabilityError/underlying``.
        case failed
    }

    /// What went wrong.
    public let code: Code
    /// What became of the action: committed in memory, if the code is ``Code/failed``.
    public let result: DispatchResult?
    /// The error of the journal or the storage.
    public let underlying: (any Error)?
    /// A sentence that describes the error and says what to do.
    public let description: String

    static let notKept = DurabilityError(
        code: .notKept, result: nil, underlying: nil,
        description: """
            An action was to be kept, but nothing keeps what this store commits, so it was not dispatched. To fix \
            this, give the store a `Persistence`, a `JournalRecorder` or a `Saving`; one that was stopped keeps \
            nothing any more.
            """)

    static func weaker(_ durability: Durability, than wanted: Durability) -> DurabilityError {
        DurabilityError(
            code: .weaker(durability), result: nil, underlying: nil,
            description: """
                An action was to be kept as ".\(wanted)", but what keeps this store's commits is only ".\(durability)", \
                so it was not dispatched. To fix this, give the journal that durability, such as \
                `SQLiteJournalOptions.durability`, or ask for less.
                """)
    }

    static func failed(_ error: any Error, _ result: DispatchResult?) -> DurabilityError {
        let place = result == nil ? "" : "; it is in the state, and may be lost with the program"
        return DurabilityError(
            code: .failed, result: result, underlying: error,
            description: "What was committed could not be stored\(place): \(error)")
    }
}
