// SPDX-License-Identifier: MIT

import InspectedShop
import Onward
import OnwardJournal
import Testing

@testable import OnwardInspection

struct QuestionLimitsTests {
    private let store = makeShop()
    private let time = Guarded(Duration.zero)

    private func limits(
        values: Int = QuestionLimits.mostValues, isWanted: @escaping @Sendable () -> Bool = { true }
    ) -> QuestionLimits {
        let limits = QuestionLimits(
            .seconds(3), values: values, now: { [time] in time.withValue { $0 } },
            isWanted: isWanted)
        limits.begin()
        return limits
    }

    private func recorded(_ count: Int) -> (history: History<Shop>, log: InspectedHistory<Shop>) {
        let history = History(of: store)
        for id in 0..<count { store.dispatch(CartAction.add(id: id, name: "Pear", price: 1)) }
        return (history, history.inspected(store))
    }

    @Test func `a question ends when its time is over, and says what to ask instead`() {
        let limits = limits()
        #expect(!limits.isOver)
        time.withValue { $0 = .seconds(3) }
        #expect(limits.isOver && limits.isTimeOver)
        #expect(limits.problem?.description.contains("longer than the 3 seconds") == true)
        limits.acceptPart()
        #expect(limits.problem == nil)
    }

    @Test func `a question ends when nobody waits for it`() {
        let limits = limits { false }
        #expect(limits.isOver && !limits.isTimeOver)
        limits.acceptPart()
        #expect(limits.problem != nil)
    }

    @Test func `of a state that is too large nothing is encoded, and a smaller part is`() {
        let log = recorded(1_000).log
        let whole = limits(values: 500)
        _ = log.limited(by: whole).value(at: 1_000, "cart.items")
        #expect(whole.problem?.description.contains("more than 500 values") == true)
        let part = limits(values: 500)
        #expect(log.limited(by: part).value(at: 1_000, "cart.items.7.id") == 7)
        #expect(log.limited(by: part).state(at: 1_000, "cart.items", from: 0, limit: 100) != nil)
        #expect(part.problem == nil)
    }

    @Test func `a page of a log ends where the time does, and says where to go on`() {
        let log = recorded(2_000).log
        let limits = limits()
        var query = EntryQuery()
        (query.text, query.limit) = ("no such text", 50)
        // The time is over while the third stretch is examined.
        let page = EntryPage(of: 2_000, by: query) { stretch in
            if stretch.lowerBound < 1_850 { return nil }
            return []
        }
        #expect(page.examined == 150 && page.earlier == 1_850)
        time.withValue { $0 = .seconds(4) }
        let none = log.limited(by: limits).entries(query)
        #expect(none.examined == 0 && limits.problem != nil)
    }

    @Test func `the entries themselves are listed however long their changes would take`() {
        let log = recorded(20).log
        let limits = limits()
        time.withValue { $0 = .seconds(4) }
        let page = log.limited(by: limits).entries(EntryQuery())
        #expect(page.entries.count == 20)
        #expect(page.entries.allSatisfy { $0.isChange == nil })
        #expect(limits.problem == nil)
    }

    @Test func `a thread answers one question after the other, in their order`() async throws {
        let thread = QuestionThread()
        let order = Guarded<[Int]>([])
        let (ended, end) = AsyncStream<Void>.makeStream()
        for number in 0..<100 { thread.run { order.withValue { $0.append(number) } } }
        thread.run { end.finish() }
        for await _ in ended {}
        #expect(order.withValue { $0 } == Array(0..<100))
        let limits = QuestionLimits()
        let answer = try await thread.answer(within: limits) { () throws(InspectorError) in 7 }
        #expect(answer == 7)
    }

    @Test func `a thread refuses a question when too many wait`() async throws {
        let thread = QuestionThread()
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let isHeld = Guarded(true)
        thread.run {
            begin.finish()
            while isHeld.withValue({ $0 }) {}
        }
        for await _ in begun {}
        for _ in 0..<QuestionThread.mostWaiting { thread.run {} }
        await #expect(throws: InspectorError.self) {
            try await thread.answer(within: QuestionLimits()) { () throws(InspectorError) in 1 }
        }
        isHeld.withValue { $0 = false }
    }

    @Test func `a question whose sender has left isn't answered`() async {
        let thread = QuestionThread()
        let limits = QuestionLimits()
        limits.cancel()
        await #expect(throws: InspectorError.self) {
            try await thread.answer(within: limits) { () throws(InspectorError) in
                Issue.record("It was answered.")
            }
        }
    }
}
