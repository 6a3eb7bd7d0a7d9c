// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardJournal

/// A recording without tasks, clocks and locks: what the course decides is performed on a list.
private struct Recording {
    enum Stored: Equatable {
        case commit(Int)
        case state(Int)
    }

    /// How a call fails: before it has done anything, or after it has done everything.
    enum Failure: CaseIterable { case before, after }

    var course: RecordingCourse
    /// The entries of the journal.
    private(set) var journal: [Stored] = []
    /// What fails, and how; asked with the number of each call.
    var failure: (Int) -> (Failure, JournalError.Code)? = { _ in nil }
    private(set) var calls = 0
    private(set) var committed = 0
    private(set) var written = 0
    private var waiting: [Int] = []
    private var batch: [Int] = []
    private var expectedCount = 0

    init(retries: Int = 2, yields: Bool = false, resumes: Bool = true) {
        course = RecordingCourse(
            retries: retries, firstPause: .seconds(1), yields: yields, resumes: resumes)
        course.begin(hasMore: false)
    }

    /// What the journal leads to; nil if a commit is missing or doubled.
    var folded: Int? {
        var value: Int? = 0
        for entry in journal {
            switch entry {
            case .state(let state): value = state
            case .commit(let number): value = value == number - 1 ? number : nil
            }
        }
        return value
    }

    mutating func commit() {
        committed += 1
        guard course.takesCommits else { return }
        waiting.append(committed)
        _ = course.commit()
    }

    private mutating func call<Value>(_ body: () -> Value) throws(JournalError) -> Value {
        defer { calls += 1 }
        guard let (failure, code) = failure(calls) else { return body() }
        if failure == .after { _ = body() }
        throw JournalError(code, "")
    }

    /// Performs the next step, as the task does that calls the journal; false where there is none.
    mutating func step(pausing: Bool = true, isAwaited: Bool = false) -> Bool {
        if course.wantsBatch {
            if waiting.isEmpty {
                course.drained()
                course.leave()
                written = committed
                return false
            }
            batch = Array(waiting.prefix(3))
            waiting.removeFirst(batch.count)
            course.tookBatch()
        }
        guard let step = course.step else {
            course.leave()
            return false
        }
        if case .pause = step, !pausing { return false }
        let old = course.state
        course.handle(perform(step), isAwaited: isAwaited)
        if !course.takesCommits || (course.state == .resuming && old != .resuming) { waiting = [] }
        return true
    }

    private mutating func perform(_ step: RecordingCourse.Step) -> RecordingCourse.Event {
        let (new, end) = (batch.map(Stored.commit), expectedCount)
        do throws(JournalError) {
            switch step {
            case .append:
                var journal = journal
                guard journal.count == end else { throw JournalError(.conflict, "") }
                defer { self.journal = journal }
                try call { journal += new }
                finish()
                return .appended
            case .look:
                let journal = journal
                let found = try call { Array(journal[end...].prefix(new.count)) }
                if found == new { finish() }
                return .found(found == new)
            case .findEnd:
                let journal = journal
                let count = try call { journal.count }
                defer { expectedCount = count }
                return .foundEnd(isFurther: count > end)
            case .install:
                let (state, old) = (committed, journal)
                var journal = old
                defer { self.journal = journal }
                try call { journal.append(.state(state)) }
                expectedCount = journal.count
                written = state
                waiting.removeAll { $0 <= state }
                return .installed
            case .pause: return .paused
            }
        } catch {
            return .failed(error)
        }
    }

    private mutating func finish() {
        expectedCount += batch.count
        written = batch.last ?? written
    }

    /// Waits for all that is committed, without that time passes.
    mutating func flush(pausing: Bool = false) -> JournalError? {
        let asked = course.attempts
        guard written < committed else { return nil }
        _ = course.demand()
        for _ in 0..<1_000 {
            if written >= committed { return nil }
            if let error = course.refusal(asked: asked) { return error }
            if !step(pausing: pausing, isAwaited: course.attempts <= asked) { break }
        }
        return written >= committed
            ? nil : course.refusal(asked: asked) ?? JournalError(.overflow, "waits for ever")
    }

    mutating func rest() {
        for _ in 0..<1_000 where step() {}
    }
}

struct RecordingCourseTests {
    private static let codes: [JournalError.Code] = [.storage, .full, .gone, .unwritable]

    @Test(arguments: RecordingCourseTests.codes)
    func `whichever call fails, and however long, a flush afterwards stores everything`(
        code: JournalError.Code
    ) {
        for first in 0..<24 {
            for count in [1, 2, 3, 4, 7, 50] {
                for how in Recording.Failure.allCases {
                    var recording = Recording()
                    recording.failure = { call in
                        (first..<(first + count)).contains(call) ? (how, code) : nil
                    }
                    for round in 0..<12 {
                        for _ in 0...round % 3 { recording.commit() }
                        if round % 2 == 0 { _ = recording.step() }
                        // What is told to be written is there.
                        #expect(recording.folded.map { $0 >= recording.written } == true)
                    }
                    // The journal works again.
                    recording.failure = { _ in nil }
                    recording.commit()
                    #expect(recording.flush() == nil, "\(first), \(count), \(how)")
                    #expect(recording.folded == recording.committed)
                    recording.commit()
                    recording.rest()
                    #expect(recording.folded == recording.committed)
                    #expect(recording.course.state == .resting && recording.course.error == nil)
                }
            }
        }
    }

    @Test func `a caller is told the outcome of an attempt that began after its call`() {
        var recording = Recording(retries: 0)
        recording.failure = { _ in (.before, .full) }
        recording.commit()
        recording.rest()
        let calls = recording.calls
        #expect(recording.course.state == .waiting)
        #expect(recording.flush()?.code == .full)
        #expect(recording.calls == calls + 1)
        #expect(recording.flush()?.code == .full)
        #expect(recording.calls == calls + 2)
        recording.failure = { _ in nil }
        #expect(recording.flush() == nil)
    }

    @Test func `a call during an attempt that fails has another one`() {
        var recording = Recording(retries: 0)
        recording.failure = { _ in (.before, .full) }
        recording.commit()
        while recording.course.state != .resuming { _ = recording.step() }
        let asked = recording.course.attempts
        #expect(recording.course.demand() == .nothing)
        _ = recording.step(isAwaited: true)
        #expect(recording.course.state == .resuming)
        #expect(recording.course.refusal(asked: asked) == nil)
        _ = recording.step()
        #expect(recording.course.state == .waiting)
        #expect(recording.course.refusal(asked: asked)?.code == .full)
    }

    @Test func `attempts made early use up no retry, and pauses go on behind them`() {
        var recording = Recording(retries: 2)
        recording.failure = { _ in (.before, .storage) }
        recording.commit()
        _ = recording.step()
        #expect(recording.course.step == .pause(1, .seconds(1)))
        for _ in 0..<10 {
            #expect(recording.course.demand() == .endPause(1))
            _ = recording.step()
            #expect(recording.course.step == .pause(1, .seconds(1)))
        }
        _ = recording.step()
        _ = recording.step()
        #expect(recording.course.step == .pause(2, .seconds(2)))
        _ = recording.step()
        _ = recording.step()
        #expect(recording.course.state == .resuming)
    }

    @Test func `pauses between attempts to resume double, up to a minute`() {
        var recording = Recording(retries: 0)
        recording.failure = { _ in (.before, .full) }
        recording.commit()
        var pauses: [Duration] = []
        while pauses.count < 9 {
            if case .pause(_, let length)? = recording.course.step { pauses.append(length) }
            _ = recording.step()
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60].map(Duration.seconds))
    }

    @Test func `an entry that was stored although its append failed is there once`() {
        var recording = Recording()
        recording.failure = { $0 == 0 ? (.after, .storage) : nil }
        recording.commit()
        recording.rest()
        #expect(recording.journal == [.commit(1)])
    }

    @Test func `what is gone is neither tried again nor looked for`() {
        var recording = Recording()
        recording.failure = { $0 == 0 ? (.after, .storage) : (.before, .gone) }
        recording.commit()
        #expect(recording.flush(pausing: true)?.code == .gone)
        #expect(recording.written == 0)
        recording = Recording(resumes: false)
        recording.failure = { _ in (.after, .gone) }
        recording.commit()
        #expect(recording.flush()?.code == .gone)
        #expect(recording.calls == 1 && recording.course.state == .failed)
    }

    @Test func `a recording that doesn't resume fails for good, and a closed journal too`() {
        for (resumes, code) in [(false, .full), (true, .closed)] as [(Bool, JournalError.Code)] {
            var recording = Recording(retries: 0, resumes: resumes)
            recording.failure = { _ in (.before, code) }
            recording.commit()
            recording.rest()
            let calls = recording.calls
            recording.failure = { _ in nil }
            #expect(recording.flush()?.code == code)
            #expect(recording.calls == calls && recording.course.state == .failed)
        }
    }

    @Test func `one that is about to end makes no attempt that nobody waits for`() {
        var recording = Recording(retries: 0)
        recording.failure = { _ in (.before, .full) }
        recording.commit()
        recording.course.stop()
        recording.rest()
        #expect(recording.course.state == .failed)
        #expect(recording.flush()?.code == .full)
        recording.failure = { _ in nil }
        recording.rest()
        #expect(recording.course.demand() == .start)
        recording.rest()
        #expect(recording.folded == recording.committed)
        recording.course.end()
        #expect(recording.course.refusal(asked: .max)?.code == .closed)
        #expect(recording.course.step == nil && !recording.course.takesCommits)
    }

    @Test func `a task that is about to end finds what is demanded meanwhile`() {
        var recording = Recording(retries: 0)
        recording.course.stop()
        recording.failure = { _ in (.before, .full) }
        recording.commit()
        while recording.course.state != .failed { _ = recording.step() }
        #expect(recording.course.demand() == .nothing)
        #expect(recording.course.step == .install)
    }
}
