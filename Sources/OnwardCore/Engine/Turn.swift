// SPDX-License-Identifier: MIT

/// Whose turn it is to notify: a pure machine.
///
/// Problem: subscribers are called one at a time, without the lock, by threads that commit. Calls must not stack when a
/// subscriber dispatches, no thread may call for others for ever, and nothing that was asked for may be forgotten.
///
/// Strategy: requests and rounds. A commit that has something to notify of is a request; a round covers all requests made
/// until it begins. One thread at a time holds the turn. It makes rounds until they cover its own requests, then it lets the
/// turn go; what is left belongs to the next thread that asks, or to a task that is started for it, whichever comes first.
/// While a batch is open, no round begins, and the thread that closes it takes the turn.
struct Turn {
    /// What the holder does next.
    enum Step: Equatable {
        /// Makes another round.
        case round
        /// Takes a step of what follows from the rounds.
        case answer
        /// Stops. What is left is for another thread; `startsTask` if one has to be started for it.
        case handOver(startsTask: Bool)
        /// Stops; there is nothing left.
        case rest

        /// Whether the thread gives the turn back.
        var isLast: Bool {
            switch self {
            case .round, .answer: false
            case .handOver, .rest: true
            }
        }
    }

    private var holder: UInt = 0
    private var requests: UInt64 = 0
    /// The requests that rounds have covered.
    private var covered: UInt64 = 0
    /// The last request of the holder.
    private var ownUpTo: UInt64 = 0
    private var batches = 0
    /// The rounds that the holder has made in a row.
    private var rounds = 0
    private var isTaskComing = false
    private let mostRounds: Int
    private let waitsAlways: Bool

    /// Whether stores made meanwhile have every commit wait for a round: for tests, which run both ways.
    @TaskLocal static var waitsAlways = false

    /// - Parameter mostRounds: How many rounds a thread makes in a row where each of them leads to another one.
    init(mostRounds: Int) {
        self.mostRounds = mostRounds
        waitsAlways = Self.waitsAlways
    }

    /// Whether requests wait for a round.
    var isWaiting: Bool { covered < requests }

    /// Whether a thread makes rounds.
    var isHeld: Bool { holder != 0 }

    /// Whether a batch is open.
    var isBatchOpen: Bool { batches > 0 }

    /// Whether nothing is in the way of a round.
    var isFree: Bool {
        @inline(__always) get { holder == 0 && batches == 0 && !isWaiting && !waitsAlways }
    }

    /// A thread asks for a round and begins it, where nothing is in the way.
    @inline(__always)
    mutating func beginAtOnce(_ thread: UInt) -> Bool {
        guard isFree else { return false }
        holder = thread
        requests += 1
        covered = requests
        ownUpTo = requests
        rounds = 1
        return true
    }

    /// A thread asks for a round; true if it takes the turn and makes it.
    mutating func ask(_ thread: UInt) -> Bool {
        requests += 1
        return claim(thread)
    }

    /// A thread takes what waits; true if it now has the turn.
    private mutating func claim(_ thread: UInt) -> Bool {
        if holder == thread {
            ownUpTo = requests
            return false
        }
        guard holder == 0, batches == 0, isWaiting else { return false }
        holder = thread
        ownUpTo = requests
        rounds = 0
        return true
    }

    /// The holder begins a round, which covers all requests.
    mutating func beginRound() {
        covered = requests
        rounds += 1
    }

    /// What the holder does after a round, or after a step of what follows from rounds.
    mutating func next(hasAnswers: Bool) -> Step {
        if covered < ownUpTo, batches == 0, rounds < mostRounds { return .round }
        if hasAnswers {
            rounds = 0
            return .answer
        }
        holder = 0
        guard isWaiting, batches == 0 else { return .rest }
        defer { isTaskComing = true }
        return .handOver(startsTask: !isTaskComing)
    }

    /// The task that was started for what is left has come; true if it takes the turn.
    mutating func resume(_ thread: UInt) -> Bool {
        isTaskComing = false
        return claim(thread)
    }

    mutating func openBatch() { batches += 1 }

    /// Closes a batch; true if the thread takes the turn.
    mutating func closeBatch(_ thread: UInt) -> Bool {
        batches -= 1
        return claim(thread)
    }
}
