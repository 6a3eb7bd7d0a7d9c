// SPDX-License-Identifier: MIT

internal import Onward

/// Decides whether a call of the journal is repeated, how a recording that has failed resumes, and how it ends.
///
/// A pure machine: an event comes in, the next step goes out.
///
/// ```text
/// beginning ── begun ──────────────► resting ◄── all is written ── writing
///                                       └─────── commit ─────────────►
/// writing  ── outcome unknown ─────► unsure     (a pause; then writing, with the same entries)
///          ── ended elsewhere ─────► looking    (are the entries there?), yielding (where does it end now?)
///          ── failed ──────────────► resuming, or failed where the recording doesn't resume
/// resuming ── state is installed ──► writing
///          ── failed ──────────────► waiting    (a pause; then resuming)
/// failed   ── somebody waits ──────► resuming, unless the journal is closed, or others append where one store writes
/// any      ── end ─────────────────► ended
/// ```
///
/// A caller that waits for the journal ends the pause in ``State/unsure`` and ``State/waiting``: what it is told is
/// the outcome of an attempt that began after its call. An attempt made early counts as none: the pause goes on
/// behind it, so many callers neither use up the attempts nor lengthen the pause.
struct RecordingCourse: Sendable {
    enum State: Sendable, Equatable {
        /// The journal's end is read and the first state stored, while commits wait.
        case beginning
        /// Everything that was committed is stored.
        case resting
        /// Entries are appended.
        case writing
        /// It isn't known whether the entries are stored; a pause before they are appended again.
        case unsure
        /// The journal ends elsewhere than before an append that seemed to fail: the entries may be there.
        case looking
        /// Somebody else has appended: the entries go after theirs.
        case yielding
        /// The whole state is installed.
        case resuming
        /// Resuming has failed; a pause before the next attempt.
        case waiting
        /// Nothing is recorded, and nobody tries.
        case failed
        /// The recording was ended.
        case ended
    }

    /// What the task that calls the journal does next.
    enum Step: Sendable, Equatable {
        case append, look, findEnd, install
        /// Waits; whoever ends the pause early gives its number.
        case pause(UInt64, Duration)
    }

    /// How that went.
    enum Event: Sendable {
        case appended
        /// Whether the journal has the entries.
        case found(Bool)
        /// Whether the journal ends further on than the entries expect.
        case foundEnd(isFurther: Bool)
        case installed
        case paused
        case failed(JournalError)
    }

    private(set) var state = State.beginning
    private let retries: Int
    private let firstPause: Duration
    /// Whether others may append.
    private let yields: Bool
    /// Whether a recording that has failed resumes.
    private let resumes: Bool

    /// Whether the entries of a batch are to be appended.
    private var hasBatch = false
    private var tries = 0
    private var conflict: JournalError?
    /// The pause that is under way, or was last.
    private var pause: (number: UInt64, length: Duration) = (0, .zero)
    /// Whether that pause was ended early, and goes on behind the attempt.
    private var isEarly = false
    /// How many attempts to resume have begun.
    private(set) var attempts: UInt64 = 0
    /// Why nothing is recorded, and after how many attempts to resume.
    private var failure: (error: JournalError, attempt: UInt64)?
    private var isStopping = false
    /// Whether there is a task that calls the journal, or is about to find that nothing is to be done.
    private var hasTask = false

    init(retries: Int, firstPause: Duration, yields: Bool, resumes: Bool) {
        self.retries = retries
        self.firstPause = firstPause
        self.yields = yields
        self.resumes = resumes
    }

    // MARK: Questions

    /// Why nothing is recorded; nil while the recording goes on.
    var error: JournalError? { failure?.error }

    /// Whether commits are to be written.
    var takesCommits: Bool {
        switch state {
        case .failed, .waiting, .ended: false
        default: true
        }
    }

    /// Whether a task calls the journal.
    var isWorking: Bool {
        switch state {
        case .beginning, .resting, .failed, .ended: false
        default: true
        }
    }

    var isBegun: Bool { state != .beginning }

    /// Whether the next batch is wanted.
    var wantsBatch: Bool { state == .writing && !hasBatch }

    /// What the task does next; nil where it ends.
    var step: Step? {
        switch state {
        case .writing: .append
        case .looking: .look
        case .yielding: .findEnd
        case .resuming: .install
        case .unsure, .waiting: .pause(pause.number, pause.length)
        case .beginning, .resting, .failed, .ended: nil
        }
    }

    /// What a caller is told that can't be served; nil while that may change.
    ///
    /// `asked` is how many attempts to resume had begun at its call.
    func refusal(asked: UInt64) -> JournalError? {
        switch state {
        case .ended: error
        case .failed where !canResume: error
        case .failed, .waiting, .resuming:
            failure.flatMap { $0.attempt > asked ? $0.error : nil }
        default: nil
        }
    }

    private var canResume: Bool { resumes && failure.map { canResume(after: $0.error) } ?? true }

    /// The whole state would be put over what others have appended.
    private func canResume(after error: JournalError) -> Bool {
        error.code != .closed && (yields || error.code != .conflict)
    }

    // MARK: Events

    /// Notes that the first state is stored.
    mutating func begin(hasMore: Bool) {
        state = hasMore ? .writing : .resting
        hasTask = hasMore
    }

    /// Notes a commit that waits.
    ///
    /// - Returns: Whether a task has to be started.
    mutating func commit() -> Bool {
        guard state == .resting else { return false }
        state = .writing
        hasTask = true
        return true
    }

    /// Notes that a batch is about to be appended.
    mutating func tookBatch() { hasBatch = true }

    /// Notes that nothing is left to write.
    mutating func drained() { state = .resting }

    /// Notes that the task that calls the journal ends, as there is no step.
    mutating func leave() { hasTask = false }

    /// What somebody has to do who waits for the journal.
    enum Demand: Equatable {
        case nothing
        /// Start the task that calls the journal.
        case start
        /// End the pause of that number.
        case endPause(UInt64)
    }

    /// Notes a caller that waits.
    mutating func demand() -> Demand {
        switch state {
        case .unsure:
            state = .writing
            isEarly = true
            return .endPause(pause.number)
        case .waiting:
            resume()
            isEarly = true
            return .endPause(pause.number)
        case .failed where canResume:
            resume()
            // One that is about to end finds the step.
            if hasTask { return .nothing }
            hasTask = true
            return .start
        default: return .nothing
        }
    }

    /// Notes that the recording is about to end: no attempt is made any more that nobody waits for.
    mutating func stop() { isStopping = true }

    mutating func end() {
        if failure == nil {
            failure = (JournalError(.closed, "The recorder was stopped."), attempts)
        }
        state = .ended
    }

    /// Goes on after a step; `isAwaited` if a caller waits that came after the last attempt to resume had begun.
    mutating func handle(_ event: Event, isAwaited: Bool = false) {
        switch (state, event) {
        case (.writing, .appended), (.looking, .found(true)):
            (state, hasBatch) = (.writing, false)
            calm()
        case (.writing, .failed(let error)) where error.code == .conflict && (tries > 0 || yields):
            conflict = error
            state = tries > 0 ? .looking : .yielding
        case (.writing, .failed(let error)) where error.code == .storage: `repeat`(orThrow: error)
        case (.writing, .failed(let error)): fail(error)
        case (.looking, .found(false)) where yields: state = .yielding
        case (.yielding, .foundEnd(isFurther: true)): state = .writing
        case (.looking, .found(false)), (.yielding, .foundEnd(isFurther: false)): failByConflict()
        case (.looking, .failed(let error)), (.yielding, .failed(let error)):
            // Whose entries they are isn't known.
            if [.gone, .closed].contains(error.code) {
                fail(error)
            } else {
                `repeat`(orThrow: error)
            }
        case (.unsure, .paused):
            (state, isEarly) = (.writing, false)
        case (.waiting, .paused):
            isEarly = false
            resume()
        case (.resuming, .installed):
            (state, hasBatch, failure) = (.writing, false, nil)
            calm()
        case (.resuming, .failed(let error)):
            failure = (error, attempts)
            if !canResume(after: error) {
                state = .failed
            } else if isAwaited {
                resume()
            } else if isStopping {
                state = .failed
            } else {
                state = .waiting
                beginPause()
            }
        // What was under way when the recording ended, or a pause that somebody has ended meanwhile.
        case (.ended, _), (_, .paused): break
        default: assertionFailure("\(event) in the state \(state)")
        }
    }

    /// Appends the entries once more, after a pause, unless that was done too often.
    private mutating func `repeat`(orThrow error: JournalError) {
        if !isEarly {
            guard tries < retries else { return fail(error) }
            tries += 1
        }
        state = .unsure
        beginPause()
    }

    private mutating func failByConflict() {
        fail(conflict ?? JournalError(.conflict, "Somebody else has appended to the journal."))
    }

    private mutating func fail(_ error: JournalError) {
        failure = (error, attempts)
        hasBatch = false
        calm()
        if canResume { resume() } else { state = .failed }
    }

    private mutating func resume() {
        attempts += 1
        state = .resuming
    }

    /// Goes on with the pause that was ended early, or begins one that is twice as long as the last.
    private mutating func beginPause() {
        if isEarly { return isEarly = false }
        let next = pause.length == .zero ? firstPause : pause.length * 2
        pause = (pause.number + 1, min(next, max(firstPause, .seconds(60))))
    }

    /// Forgets the attempts and pauses of what has succeeded.
    private mutating func calm() {
        (tries, conflict, isEarly) = (0, nil, false)
        pause.length = .zero
    }
}
