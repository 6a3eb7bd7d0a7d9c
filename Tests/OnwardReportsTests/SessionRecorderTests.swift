// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardJournal
import OnwardTesting
import Testing

@testable import OnwardReports
@testable import RecordedProgram

/// A folder that goes with the test.
final class TemporaryFolder: Sendable {
    let path = FileManager.default.temporaryDirectory
        .appendingPathComponent("onward-reports-\(UUID().uuidString)").path

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

extension Report {
    /// The state that the entries lead to.
    func folded<State: Codable & Sendable>(by store: Store<State>) throws -> State {
        let (start, entries) = try decoded(by: store)
        guard let last = Stretch.all(start, entries).last else { return start }
        return store.log.replay(last.entries, from: last.start)
    }
}

struct SessionRecorderTests {
    private let folder = TemporaryFolder()
    private let time = Guarded<Int64>(1_000_000_000_000)

    private func store(_ state: Dial = Dial()) -> Store<Dial> {
        var options = StoreOptions()
        options.wallClock = { [time] in
            Timestamp(nanosecondsSince1970: time.withValue { $0 })
        }
        return Store(state, options: options) { dial }
    }

    private func pass(seconds: Int64) { time.withValue { $0 += seconds * 1_000_000_000 } }

    @Test func `what was dispatched leads from the state at the beginning to the store's`()
        async throws
    {
        let store = store(Dial(turned: 7, clicks: 0))
        let recorder = try SessionRecorder(store, at: folder.path)
        for number in 0..<100 {
            store.dispatch(number.isMultiple(of: 3) ? DialAction.turn(1) : .click(by: "Emma"))
        }
        let report = try await recorder.session().unredacted
        #expect(report.entries.map(\.version) == Array(1...100))
        #expect(try report.folded(by: store) == store.state)
        #expect(report.entries[0].origin.file == "OnwardReportsTests/SessionRecorderTests.swift")
        #expect(report.entries[0].time == Timestamp(nanosecondsSince1970: 1_000_000_000_000))
        #expect(report.ending == Report.Ending())
        await recorder.stop()
    }

    @Test func `a journal is redacted as a recording is`() async throws {
        let journal = MemoryJournal()
        let kept = try await Persistence(of: Dial(), in: journal) { dial }
        try await kept.dispatch(DialAction.click(by: "Emma"))
        try await kept.dispatch(DialAction.turn(3))
        let codec = JournalCodec(for: kept.store)
        let session = RecordedSession(
            Report(
                from: try codec.states.encode(Dial(), at: 0, by: codec.fingerprint),
                try journal.entries(from: 1, limit: .max)))
        #expect(session.begin == session.unredacted.entries.first?.time)
        let report = try session.report(in: dial)
        #expect(report.redaction?.course == .same)
        #expect(!String(decoding: try report.bytes(), as: UTF8.self).contains("Emma"))
        #expect(try report.folded(by: kept.store) == Dial(turned: 3, clicks: 1))
        try await kept.shutdown()
    }

    @Test func `entries are written without being asked for`() async throws {
        let clock = ManualClock()
        var options = SessionOptions()
        options.clock = clock
        let store = store()
        let recorder = try SessionRecorder(store, at: folder.path, options: options)
        store.dispatch(DialAction.turn(1))
        while RecordedSession.sessions(in: folder.path).first?.unredacted.entries.count != 1 {
            clock.advance(by: .milliseconds(50))
            await Task.yield()
        }
        await recorder.stop()
    }

    /// Counts how often it is encoded.
    private struct Witness: Action, Codable {
        let count: Guarded<Int>

        init(_ count: Guarded<Int>) { self.count = count }
        init(from decoder: any Decoder) throws { count = Guarded(0) }
        func encode(to encoder: any Encoder) throws {
            count.withValue { $0 += 1 }
            var container = encoder.singleValueContainer()
            try container.encode(1)
        }
    }

    @MainActor @Test(.timeLimit(.minutes(5)))
    func `nothing is encoded by who dispatches, and nothing waits for the main actor`() throws {
        let clock = ManualClock()
        var options = SessionOptions()
        options.clock = clock
        let count = Guarded(0)
        let store = Store(Dial()) { Reduce { (_: inout Dial, _: Witness) in } }
        let recorder = try SessionRecorder(store, at: folder.path, options: options)
        for _ in 0..<10 { store.dispatch(Witness(count)) }
        #expect(count.withValue { $0 } == 0)
        // This test has the main actor to itself until everything is written.
        while RecordedSession.sessions(in: folder.path).first?.unredacted.entries.count != 10 {
            clock.advance(by: .milliseconds(50))
        }
        #expect(count.withValue { $0 } == 10)
        withExtendedLifetime(recorder) {}
    }

    @Test func `a recording reaches back as far as it should, and not much farther`() async throws {
        let store = store()
        let recorder = try SessionRecorder(store, at: folder.path, keeping: .minutes(10))
        for _ in 0..<120 {
            store.dispatch(DialAction.click(by: "Emma"))
            await recorder.flush()
            pass(seconds: 30)
        }
        let report = try await recorder.session().unredacted
        // Ten minutes, and at most a quarter and a step more.
        #expect((20...27).contains(report.entries.count))
        #expect(report.entries.last?.version == 120)
        #expect(try report.folded(by: store) == store.state)
    }

    @Test func `a recording is bounded in bytes`() async throws {
        let store = store()
        let recorder = try SessionRecorder(
            store, at: folder.path,
            keeping: SessionLimits(time: .seconds(3_600), bytes: 40_000))
        for _ in 0..<300 {
            store.dispatch(DialAction.click(by: String(repeating: "Emma", count: 200)))
            await recorder.flush()
        }
        var size = 0
        for file in SessionFolder.sessions(in: folder.path).flatMap(SessionFolder.segments) {
            size += try Data(contentsOf: URL(fileURLWithPath: file)).count
        }
        #expect((20_000..<60_000).contains(size))
        let report = try await recorder.session().unredacted
        #expect(try report.folded(by: store) == store.state)
    }

    @Test func `of a torn end the whole entries are read, whatever is torn off`() async throws {
        let store = store()
        let recorder = try SessionRecorder(store, at: folder.path)
        for _ in 0..<20 { store.dispatch(DialAction.turn(1)) }
        await recorder.flush()
        let session = try #require(SessionFolder.sessions(in: folder.path).first)
        let file = try #require(SessionFolder.segments(of: session).first)
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: file)))
        var counts: Set<Int> = []
        for end in 0..<bytes.count {
            guard let segment = Segment(Array(bytes[..<end])) else { continue }
            counts.insert(segment.entries.count)
            #expect(
                segment.entries.map(\.version)
                    == (1...20).prefix(segment.entries.count).map { CommitVersion($0) })
        }
        #expect(counts == Set(0..<20))
        var changed = bytes
        for index in bytes.indices {
            changed[index] ^= 0x55
            let segment = Segment(changed)
            #expect(segment == nil || (segment?.entries.count ?? 0) < 20)
            changed[index] ^= 0x55
        }
    }

    @Test func `the next program finds the session of the one before`() async throws {
        for round in 1...3 {
            let store = store()
            let recorder = try SessionRecorder(store, at: folder.path)
            #expect((recorder.previous == nil) == (round == 1))
            if round > 1 { #expect(recorder.previous?.unredacted.entries.count == round - 1) }
            for _ in 0..<round { store.dispatch(DialAction.turn(round)) }
            await recorder.stop()
            #expect(SessionFolder.sessions(in: folder.path).count == min(round, 2))
        }
    }

    @Test func `a state that a history installs is an entry`() async throws {
        let store = store()
        let recorder = try SessionRecorder(store, at: folder.path)
        let history = History(of: store)
        for _ in 0..<4 { store.dispatch(DialAction.turn(1)) }
        history.jump(to: 2)
        history.detach()
        store.dispatch(DialAction.turn(100))
        let report = try await recorder.session().unredacted
        #expect(report.entries.map(\.kind).filter { $0 == .install }.count == 1)
        #expect(store.state.turned == 102)
        #expect(try report.folded(by: store) == store.state)
    }

    @Test func `a burst costs at most the burst, and the report says how many are missing`()
        async throws
    {
        var options = SessionOptions()
        options.queueLimit = 10
        options.clock = ManualClock()
        let store = store()
        let recorder = try SessionRecorder(store, at: folder.path, options: options)
        for _ in 0..<5 { store.dispatch(DialAction.click(by: "Emma")) }
        await recorder.flush()
        for burst in 1...2 {
            for _ in 0..<25 { store.dispatch(DialAction.turn(1)) }
            store.dispatch(DialAction.turn(burst))
            await recorder.flush()
            store.dispatch(DialAction.click(by: "Emma"))
            await recorder.flush()
        }
        let session = try await recorder.session()
        let gaps = [
            MissingCommits(count: 16, first: 16, last: 31),
            MissingCommits(count: 16, first: 43, last: 58),
        ]
        for report in [session.unredacted, try session.report(in: dial)] {
            let versions = Array(1...15) + Array(31...42) + [58, 59]
            #expect(report.entries.map(\.version) == versions.map { CommitVersion($0) })
            #expect(report.gaps == gaps)
            #expect(report.ending.missing == 32)
            #expect(try report.folded(by: store) == store.state)
            let text = report.text()
            #expect(text.contains("16 commits are missing, the store's 16 to 31"))
            #expect(!text.contains("The last"))
            let copy = try Report(bytes: try report.bytes())
            #expect(copy == report)
            let replayed: ReplayedReport<Dial> = try report.replayed(in: dial)
            #expect(replayed.store.state == store.state)
            replayed.history.jump(to: 15)
            #expect(replayed.store.state == Dial(turned: 10, clicks: 5))
            replayed.history.jump(to: 16)
            #expect(replayed.store.state == Dial(turned: 26, clicks: 5))
        }
        #expect(try session.report(in: dial).redaction?.course == .same)
        await recorder.stop()
    }

    @Test func `what came before a state that a history installed stays in the report`()
        async throws
    {
        let store = store()
        let recorder = try SessionRecorder(store, at: folder.path)
        let history = History(of: store)
        for _ in 0..<4 { store.dispatch(DialAction.turn(1)) }
        history.jump(to: 2)
        history.detach()
        store.dispatch(DialAction.click(by: "Emma"))
        let report = try await recorder.session().report(in: dial)
        #expect(
            report.entries.map(\.kind) == [.action, .action, .action, .action, .install, .action])
        #expect(report.gaps.isEmpty && report.ending.missing == 0)
        #expect(report.redaction?.course == .same)
        #expect(try report.folded(by: store) == store.state)
        let shortest = try report.shortest(in: dial) { (dial: Dial) in dial.turned > 2 }
        #expect(shortest.entries.map(\.version) == [1, 2, 3])
    }

    @Test func `a fault after a burst is searched for in what is there after it`() async throws {
        var options = SessionOptions()
        options.queueLimit = 10
        options.clock = ManualClock()
        let store = store()
        let recorder = try SessionRecorder(store, at: folder.path, options: options)
        for _ in 0..<25 { store.dispatch(DialAction.turn(1)) }
        await recorder.flush()
        for _ in 0..<3 { store.dispatch(DialAction.click(by: "Emma")) }
        let report = try await recorder.session().report(in: dial, limit: 1_000)
        let shortest = try report.shortest(in: dial) { (dial: Dial) in dial.clicks >= 2 }
        #expect(shortest.entries.count <= 2)
        #expect(shortest.isMinimal)
        let later = try report.shortest(in: dial) { (dial: Dial) in dial.turned == 25 }
        #expect(later.entries.isEmpty)
    }

    @Test func `an action that can't be encoded is counted and named`() async throws {
        struct Secret: Action {}
        let store = Store(Dial()) {
            dial
            Reduce { (dial: inout Dial, _: Secret) in dial.clicks += 1 }
        }
        let recorder = try SessionRecorder(store, at: folder.path)
        store.dispatch(Secret())
        store.dispatch(DialAction.turn(1))
        let report = try await recorder.session().unredacted
        #expect(report.ending.unencoded == 1)
        #expect(report.entries.map(\.hasAction) == [false, true])
    }

    @Test
    func `what Redacted marks is kept on the device, so that the fold leads where the app went`()
        async throws
    {
        struct Account: Codable, Sendable, Equatable { @Redacted var pin = 0 }
        struct Enter: Action, Codable { let pin: Redacted<Int> }
        let store = Store(Account()) {
            Reduce { (account: inout Account, enter: Enter) in
                account.pin += enter.pin.wrappedValue
            }
        }
        let recorder = try SessionRecorder(store, at: folder.path)
        store.dispatch(Enter(pin: Redacted(1234)))
        let report = try await recorder.session().unredacted
        #expect(try report.folded(by: store).pin == 1234)
    }

    @Test func `a folder that can't be made is said to be`() throws {
        let error = #expect(throws: ReportError.self) {
            try SessionRecorder(store(), at: "/dev/null/sessions")
        }
        #expect(error?.code == .unwritable)
    }
}

#if os(macOS) || os(Linux)
struct KilledSessionTests {
    private let folder = TemporaryFolder()

    /// Runs the program until it says that it is ready, and a little longer.
    private func run(_ arguments: [String], killing: Bool) throws -> RecordedSession? {
        let program = Process()
        program.executableURL = URL(fileURLWithPath: recordedProgram)
        program.arguments = arguments
        program.environment = ["SWIFT_BACKTRACE": "enable=no"]
        let output = Pipe()
        program.standardOutput = output
        program.standardError = FileHandle.nullDevice
        try program.run()
        var text = ""
        while !text.contains("ready") {
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { break }
            text += String(decoding: data, as: UTF8.self)
        }
        if killing { kill(program.processIdentifier, SIGKILL) }
        program.waitUntilExit()
        return RecordedSession.sessions(in: folder.path).first
    }

    @Test func `what was on disk before a kill is there, and what is missing is counted`() throws {
        let session = try #require(try run(["--record", folder.path, "500"], killing: true))
        let report = session.unredacted
        #expect(report.entries.count >= 500)
        #expect(report.entries.map(\.version) == Array(1...CommitVersion(report.entries.count)))
        #expect(report.app == "Dial 1.0")
        #expect(try report.folded(by: Store(Dial()) { dial }).clicks == report.entries.count)
        #expect(report.ending.missing >= 0 && report.ending.missing < 500)
    }

    @Test(arguments: [false, true])
    func `the action in whose reducer a program died is known`(keepsPayload: Bool) throws {
        let options = keepsPayload ? ["--payload"] : []
        let session = try #require(
            try run(["--die", folder.path, "40"] + options, killing: false))
        let reduced = try #require(session.ending.reduced)
        #expect(reduced.name == "DialAction")
        #expect(reduced.version == 44)
        #expect(reduced.origin.file == "RecordedProgram/RecordedProgram.swift")
        #expect(session.ending.missing + session.unredacted.entries.count == 43)
        #expect(session.unredacted.entries.count >= 40)
        let payload = reduced.payload.flatMap { try? DataFormat.cbor.value(of: $0) }
        #expect(payload == (keepsPayload ? ["DialAction/turn", ["value": 2_000]] : nil))
    }
}
#endif
