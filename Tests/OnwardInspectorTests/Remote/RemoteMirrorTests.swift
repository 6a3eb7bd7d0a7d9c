// SPDX-License-Identifier: MIT
#if Server

import OnwardInspection
import OnwardJournal
import Testing

@testable import OnwardInspector

struct RemoteMirrorTests {
    private var mirror = RemoteMirror()
    private let place = Place()

    /// What is to be planned, which is something.
    private mutating func nextPlan(at now: Duration) throws -> RemoteMirror.Plan {
        guard let plan = mirror.plan(at: now) else {
            throw InspectorError(.missing, "There is nothing to plan.")
        }
        return plan
    }

    private func summary(_ count: Int) -> LogSummary {
        var summary = LogSummary()
        (summary.count, summary.cursor, summary.shownID, summary.newestID) = (
            count, count, count, count
        )
        return summary
    }

    private func page(_ ids: ClosedRange<Int>) -> RemoteAnswer {
        var page = EntryPage()
        page.entries = ids.map { id in
            var line = EntryLine()
            (line.id, line.moment) = (id, id)
            return line
        }
        return .known(page)
    }

    private func entry(_ id: Int) -> RemoteQuestion { RemoteQuestion(EntryQuestion(id)) }

    @Test mutating func `a log is shown whole, with all that its tabs ask`() throws {
        mirror.learn(summary(2))
        mirror.watch([place])
        let plan = try nextPlan(at: .zero)
        #expect(plan.places == [place])
        #expect(mirror.found([entry(1), entry(2)], for: plan) == [entry(1), entry(2)])
        mirror.take(.none, to: entry(1), number: plan.number)
        #expect(mirror.plan(at: .zero) == nil && mirror.shown.summary.count == 0)
        mirror.take(.none, to: entry(2), number: plan.number)
        let next = try nextPlan(at: .zero)
        #expect(mirror.found([], for: next) == nil)
        #expect(mirror.shown.summary.count == 2 && mirror.arrivals == 1)
        #expect(mirror.plan(at: .seconds(9)) == nil)
    }

    @Test
    mutating func
        `what comes while a log is gathered waits for the next one, a tenth of a second later`()
        throws
    {
        mirror.watch([place])
        let plan = try nextPlan(at: .zero)
        _ = mirror.found([entry(1)], for: plan)
        mirror.learn(summary(3))
        #expect(mirror.plan(at: .seconds(1)) == nil)
        mirror.take(.none, to: entry(1), number: plan.number)
        let next = try nextPlan(at: .milliseconds(30))
        _ = mirror.found([], for: next)
        #expect(mirror.plan(at: .milliseconds(99)) == nil)
        #expect(mirror.plan(at: .milliseconds(100))?.log.summary.count == 3)
    }

    @Test mutating func `another place is asked for at once`() throws {
        mirror.learn(summary(1))
        let first = try nextPlan(at: .zero)
        _ = mirror.found([], for: first)
        mirror.watch([place])
        #expect(mirror.plan(at: .zero) != nil)
    }

    @Test mutating func `a log is shown though its questions never end`() throws {
        mirror.watch([place])
        var rounds = 0
        while let plan = mirror.plan(at: .zero),
            let asked = mirror.found([entry(rounds)], for: plan)
        {
            rounds += 1
            for question in asked { mirror.take(.none, to: question, number: plan.number) }
        }
        #expect(rounds == 6 && mirror.arrivals == 1)
    }

    @Test mutating func `what another process was asked is of no use`() throws {
        mirror.learn(summary(2))
        let plan = try nextPlan(at: .zero)
        _ = mirror.found([entry(1)], for: plan)
        mirror.restart()
        mirror.take(page(1...2), to: entry(1), number: plan.number)
        #expect(mirror.found([], for: plan) == nil)
        #expect(mirror.arrivals == 0)
        #expect(mirror.plan(at: .zero) != nil)
    }

    // MARK: Logs

    @Test func `a log knows entries and moments by its answers, and what else to ask`() {
        var log = RemoteLog(summary(9))
        #expect(log.moment(after: 9) == 9 && log.id(before: 9) == 9 && log.id(before: 0) == 0)
        #expect(log.answering { $0.moment(after: 4) } == nil)
        var query = EntryQuery()
        (query.start, query.limit) = (.before(4), 1)
        let asked = log.asking { log in (log.moment(after: 4), log.id(before: 4)) }
        #expect(asked.missing == [entry(4), RemoteQuestion(EntriesQuestion(query))])
        log.take(page(3...5), to: RemoteQuestion(EntriesQuestion(EntryQuery())))
        #expect(log.answering { $0.moment(after: 4) } == .some(4))
        #expect(log.answering { $0.entries(EntryQuery()).entries.count } == 3)
        let state = log.asking { $0.state(at: 4, "cart", from: 0, limit: 9) }
        #expect(
            state.missing == [
                RemoteQuestion(StateQuestion(after: 4, "cart", from: 0, limit: 9))
            ])
        #expect(log.id(before: 10) == nil && log.id(before: .min) == nil)
    }

    @Test func `questions within questions are all gathered`() {
        let log = RemoteLog(summary(9))
        let missing = log.asking { log in
            _ = log.answering { $0.entry(3) }
            _ = log.entry(4)
        }.missing
        #expect(missing == [entry(3), entry(4)])
    }
}
#endif
