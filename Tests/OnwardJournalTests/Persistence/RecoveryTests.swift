// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import OnwardTesting
import Testing

@testable import TestSupport

/// A journal of which chosen calls fail.
private struct FailingJournal: ForwardingJournal {
    enum Mode: CaseIterable, Sendable { case before, after }
    struct Plan {
        var calls = 0
        var failing = 0..<0
        var mode = Mode.before
        var code = JournalError.Code.storage
    }

    let base = MemoryJournal()
    let plan = Guarded(Plan())

    private func call<Value>(
        _ body: () throws(JournalError) -> Value
    ) throws(JournalError) -> Value {
        let (mode, code) = plan.withValue { plan in
            defer { plan.calls += 1 }
            return (plan.failing.contains(plan.calls) ? plan.mode : nil, plan.code)
        }
        guard let mode else { return try body() }
        if mode == .after { _ = try body() }
        throw JournalError(code, "This call was to fail.")
    }

    func lastPosition() throws(JournalError) -> JournalPosition {
        try call { () throws(JournalError) in try base.lastPosition() }
    }
    func append(
        _ entries: [JournalEntry], after expected: JournalPosition
    ) throws(JournalError) {
        try call { () throws(JournalError) in try base.append(entries, after: expected) }
    }
    func entries(from version: CommitVersion, limit: Int) throws(JournalError) -> [JournalEntry] {
        try call { () throws(JournalError) in try base.entries(from: version, limit: limit) }
    }
    func snapshot(at version: CommitVersion) throws(JournalError) -> JournalSnapshot? {
        try call { () throws(JournalError) in try base.snapshot(at: version) }
    }
    func store(_ snapshot: JournalSnapshot) throws(JournalError) {
        try call { () throws(JournalError) in try base.store(snapshot) }
    }
    func close() {}
}

/// What a call throws; nil if it succeeds.
private func failure(_ call: () async throws -> Void) async -> JournalError? {
    do {
        try await call()
        return nil
    } catch {
        return error as? JournalError
    }
}

struct RecoveryTests {
    private func open(
        _ journal: FailingJournal, _ options: PersistenceOptions<Basket> = PersistenceOptions()
    ) async throws -> Persistence<Basket> {
        var options = options
        options.recording.report = { _ in }
        return try await Persistence(of: Basket(), in: journal, options: options) { basket }
    }

    @Test(arguments: 0..<14, [1, 2, 5, 1_000])
    func `whichever call fails, everything is stored once the journal works again`(
        first: Int, count: Int
    ) async throws {
        for mode in FailingJournal.Mode.allCases {
            for code in [.storage, .full, .unwritable] as [JournalError.Code] {
                let journal = FailingJournal()
                var options = PersistenceOptions<Basket>()
                options.recording.retryPause = .zero
                options.recording.retries = 2
                options.recording.snapshotSpacing = 3
                let app = try await open(journal, options)
                journal.plan.withValue { plan in
                    plan.failing = (plan.calls + first)..<(plan.calls + first + count)
                    (plan.mode, plan.code) = (mode, code)
                }
                var acknowledged = 0
                for number in 1...10 {
                    if number % 2 == 0 {
                        app.store.dispatch(add("pear"))
                    } else if (try? await app.dispatch(add("pear"))) != nil {
                        acknowledged = number
                    }
                }
                // As a program would find it that starts after a kill.
                journal.plan.withValue { $0.failing = 0..<0 }
                let killed = FailingJournal()
                try killed.base.append(
                    journal.base.entries(from: 1, limit: .max), after: .start)
                #expect(try await open(killed).store.state.total >= acknowledged)

                app.store.dispatch(add("fig"))
                if first % 2 == 0 { try await app.flush() }
                try await app.shutdown()
                let next = try await open(journal)
                #expect(next.store.state == app.store.state)
                #expect(next.store.state.total == 11)
            }
        }
    }

    @Test(arguments: FailingJournal.Mode.allCases, [JournalError.Code.storage, .unwritable])
    fileprivate func
        `a recording that has failed puts nothing over what another program has appended`(
            mode: FailingJournal.Mode, code: JournalError.Code
        ) async throws
    {
        for isShared in [false, true] {
            let journal = FailingJournal()
            var options = PersistenceOptions<Basket>()
            options.recording.retryPause = .zero
            options.recording.others = isShared ? .appendBehindThem : .stopForThem
            let app = try await open(journal, options)
            try await app.dispatch(add("pear"))
            journal.plan.withValue { ($0.failing, $0.mode, $0.code) = (0..<Int.max, mode, code) }
            #expect(await failure { try await app.dispatch(add("fig")) }?.code == code)
            journal.plan.withValue { $0.failing = 0..<0 }
            let end = try journal.base.lastPosition()
            let theirs = JournalEntry(
                version: end.version + 1, name: "Other/program", payload: [0xA0])
            try journal.base.append([theirs], after: end)
            let refusal = await failure { try await app.dispatch(add("plum")) }
            #expect(refusal?.code == (isShared ? nil : .conflict))
            #expect(await failure { try await app.flush() }?.code == refusal?.code)
            #expect(await failure { try await app.shutdown() }?.code == refusal?.code)
            let entries = try journal.base.entries(from: theirs.version, limit: 10)
            #expect(entries.first == theirs)
            #expect((entries.count == 1) == !isShared)
        }
    }

    @Test(arguments: FailingJournal.Mode.allCases)
    fileprivate func `the entry with which a recording resumes says how many commits are missing`(
        mode: FailingJournal.Mode
    ) async throws {
        let journal = FailingJournal()
        let app = try await open(journal)
        try await app.dispatch(add("pear"))
        journal.plan.withValue { ($0.failing, $0.mode, $0.code) = (0..<Int.max, mode, .full) }
        for _ in 2...4 {
            #expect(await failure { try await app.dispatch(add("fig")) }?.code == .full)
        }
        journal.plan.withValue { $0.failing = 0..<0 }
        try await app.flush()
        try await app.dispatch(add("plum"))
        try await app.shutdown()
        let entries = try journal.base.entries(from: 1, limit: 10)
        let missing =
            mode == .before
            ? MissingCommits(count: 3, first: 2, last: 4)
            : MissingCommits(count: 2, first: 3, last: 4)
        #expect(entries.map(\.missing).contains(missing))
        let written = entries.count { $0.kind == .action }
        #expect(written + entries.reduce(0) { $0 + ($1.missing?.count ?? 0) } == 5)
    }

    @Test(arguments: [JournalError.Code.storage, .full, .gone])
    func `a flush, a shutdown and an awaited dispatch wait for no pause`(
        code: JournalError.Code
    ) async throws {
        for end in 0..<3 {
            let journal = FailingJournal()
            var options = PersistenceOptions<Basket>()
            // Nobody advances it: each pause is for ever.
            options.recording.clock = ManualClock()
            let app = try await open(journal, options)
            try await app.dispatch(add("pear"))
            let calls = journal.plan.withValue { plan in
                (plan.failing, plan.code) = (0..<Int.max, code)
                return plan.calls
            }
            for _ in 1...50 { app.store.dispatch(add("fig")) }
            // Until it has failed, and waits.
            while journal.plan.withValue({ $0.calls }) < calls + (code == .storage ? 1 : 2) {
                await Task.yield()
            }
            journal.plan.withValue { $0.failing = 0..<0 }
            switch end {
            case 0: try await app.flush()
            case 1: try await app.dispatch(add("plum"))
            default: break
            }
            let state = app.store.state
            try await app.shutdown()
            #expect(try await open(journal).store.state == state)
        }
    }

    @Test func `a shutdown in a task that is cancelled stores everything`() async throws {
        let journal = FailingJournal()
        let app = try await open(journal)
        let ending = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            for _ in 1...500 { app.store.dispatch(add("pear")) }
            try await app.shutdown()
        }
        try await ending.value
        #expect(try await open(journal).store.state.total == 500)
    }

    @Test func `with the policy to end, a failure is for good`() async throws {
        let journal = FailingJournal()
        var options = PersistenceOptions<Basket>()
        options.whenFailing = .end
        let app = try await open(journal, options)
        journal.plan.withValue { ($0.failing, $0.code) = (0..<Int.max, .full) }
        await #expect(throws: JournalError.self) { try await app.dispatch(add("pear")) }
        journal.plan.withValue { $0.failing = 0..<0 }
        await #expect(throws: JournalError.self) { try await app.flush() }
        await #expect(throws: JournalError.self) { try await app.shutdown() }
        #expect(try await journal.base.lastVersion() == 0)
    }
}
