// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import TestSupport

@Suite(.timeLimit(.minutes(5))) struct CheckTests {
    struct Bid: Action, Codable { var amount = 0, lot: Int? }
    struct Close: Action {}
    enum BidRefusal: RefusalReason { case closed, tooLow(least: Int) }
    enum HouseRefusal: RefusalReason { case dark }

    struct Lot: Identifiable, Equatable, Sendable { let id: Int; var highest = 0, isOpen = true }
    struct House: Equatable, Sendable {
        var isDark = false
        var lots: EntityTable<Lot> = [Lot(id: 1), Lot(id: 2)]
        var bids = 0
    }

    static let lot = Feature<Lot> {
        Reduce { (lot, bid: Bid) in lot.highest = bid.amount }
        Reduce { (lot, _: Close) in lot.isOpen = false }
        Check { (lot: Lot, bid: Bid) throws(BidRefusal) in
            guard lot.isOpen else { throw .closed }
            guard bid.amount > lot.highest else { throw .tooLow(least: lot.highest + 1) }
        }
    }

    static let house = Feature<House> {
        Reduce { (house, _: Dark) in house.isDark = true }
        Check { (house: House, _: Bid) throws(HouseRefusal) in
            guard !house.isDark else { throw .dark }
        }
        Scope(each: \.lots, lot)
        Reduce(each: \.lots) { (house, id, bid: Bid) in house.bids += 1 }
    }
    struct Dark: Action {}

    static func store() -> Store<House> { Store(House()) { house } }

    @Test func `a check refuses with its typed reason, and nothing has changed or is logged`() {
        let store = Self.store()
        store.dispatch(Bid(amount: 5), to: .row(\.lots, id: 1))
        let before = store.state
        let result = store.dispatch(Bid(amount: 5), to: .row(\.lots, id: 1))
        #expect(result.reason() == BidRefusal.tooLow(least: 6))
        #expect(result.reason(as: HouseRefusal.self) == nil)
        #expect(result == .refused(.failedCheck(CheckFailure(BidRefusal.tooLow(least: 6)))))
        #expect(result != .refused(.failedCheck(CheckFailure(BidRefusal.closed))))
        #expect(store.state == before)
        // Nothing was committed either.
        #expect(store.version == 1)
    }

    @Test func `a parent's check comes first where it is listed first`() {
        let store = Self.store()
        store.dispatch(Dark())
        store.dispatch(Close(), to: .row(\.lots, id: 1))
        #expect(
            store.dispatch(Bid(amount: 9), to: .row(\.lots, id: 1)).reason() == HouseRefusal.dark)
    }

    @Test func `what is for all rows is refused if one row refuses it`() {
        let store = Self.store()
        store.dispatch(Close(), to: .row(\.lots, id: 2))
        #expect(store.dispatch(Bid(amount: 9)).reason() == BidRefusal.closed)
        #expect(store.state.lots[id: 1]?.highest == 0)
        #expect(store.state.bids == 0)
    }

    @Test func `where a row is absent the action is absent, whatever the checks say`() {
        #expect(
            Self.store().dispatch(Bid(amount: 9), to: .row(\.lots, id: 3)) == .refused(.absent))
    }

    @Test func `a parent's check of rows gets the id of the row`() {
        let store = Store(House()) {
            Scope(each: \.lots, Self.lot)
            Check(each: \.lots) { (house: House, id: Int, bid: Bid) throws(HouseRefusal) in
                if id == 2 { throw .dark }
            }
        }
        #expect(store.dispatch(Bid(amount: 1), to: .row(\.lots, id: 1)).version == 1)
        #expect(
            store.dispatch(Bid(amount: 1), to: .row(\.lots, id: 2)).reason() == HouseRefusal.dark)
        #expect(store.dispatch(Bid(amount: 3)).reason() == HouseRefusal.dark)
    }

    @Test func `each dispatch of a batch is checked on the state before it`() {
        let store = Self.store()
        let results = store.batch {
            [3, 2, 4].map { store.dispatch(Bid(amount: $0), to: .row(\.lots, id: 1)) }
        }
        #expect(results[0].version == 1)
        #expect(results[1].reason() == BidRefusal.tooLow(least: 4))
        #expect(results[2].version == 2)
    }

    @Test func `a replay checks nothing`() throws {
        let store = Self.store()
        let address = try #require(Address("lots/#1"))
        let entry = LogEntry(version: 1, action: Bid(amount: 0), address: address)
        #expect(store.log.replay([entry], from: House()).bids == 1)
    }

    @Test func `a middleware sees the refusal, and an action that it changes is checked`() {
        struct Raise: Middleware {
            func handle<A: Action>(
                _ action: A, in context: borrowing MiddlewareContext<House>
            ) -> DispatchResult {
                let first = context.next(action)
                guard case .tooLow(let least) = first.reason(as: BidRefusal.self) else {
                    return first
                }
                return context.next(Bid(amount: least))
            }
        }
        let store = Store(House()) {
            Raise()
            Self.house
        }
        #expect(store.dispatch(Bid(amount: 0), to: .row(\.lots, id: 1)).version == 1)
        #expect(store.state.lots[id: 1]?.highest == 1)
    }

    @Test func `an action that only a check knows is unhandled`() {
        let mistakes = Mistakes()
        let store = Store(House(), options: mistakes.options()) {
            Check { (_: House, _: Dark) throws(HouseRefusal) in throw .dark }
        }
        #expect(store.dispatch(Close()) == .refused(.unhandled))
        #expect(store.dispatch(Dark()).reason() == HouseRefusal.dark)
    }

    @Test func `reading the store inside a check is reported, and the check goes on`() {
        let recorder = Mistakes()
        let options = recorder.options()
        let link = Guarded<Store<House>?>(nil)
        let store = Store(House(), options: options) {
            Reduce { (house: inout House, _: Dark) in house.isDark = true }
            Check { (_: House, _: Dark) throws(HouseRefusal) in
                link.withValue { $0 }?.dispatch(Close())
            }
        }
        link.withValue { $0 = store }
        #expect(store.dispatch(Dark()).version == 1)
        #expect(recorder.all.map(\.kind) == [.dispatchInsideReducer])
        link.withValue { $0 = nil }
    }

    // MARK: Who learns of it

    @Test func `who asks is called with each refusal, and the store counts them by reason`() throws
    {
        let refused = Log<RefusedAction>()
        let store = Store(House()) {
            OnRefusal { refused.append($0) }
            Self.house
        }
        store.dispatch(Bid(amount: 0), to: .row(\.lots, id: 1))
        store.dispatch(Close(), to: .row(\.lots, id: 2))
        store.dispatch(Bid(amount: 9), to: .row(\.lots, id: 2))
        store.dispatch(Bid(amount: 0), to: .row(\.lots, id: 1))
        #expect(
            store.diagnostics.refusals.counts == [
                "CheckTests.BidRefusal/tooLow": 2, "CheckTests.BidRefusal/closed": 1,
            ])
        #expect(refused.all.map(\.version) == [0, 1, 1])
        let last = try #require(store.diagnostics.refusals.latest.last)
        #expect(last.reason as? BidRefusal == .tooLow(least: 1))
        #expect(last.address.description == "lots/#1")
        #expect((last.action as? Bid)?.amount == 0)
        #expect(last.origin.file.hasSuffix("CheckTests.swift"))
    }

    @Test func `in a scope only the refusals that concern it are told`() {
        let refused = Log<RefusedAction>()
        let lot = Feature<Lot> {
            Self.lot
            OnRefusal { refused.append($0) }
        }
        struct Two: Equatable, Sendable { var left = Lot(id: 1), right = Lot(id: 2) }
        let store = Store(Two()) {
            Scope(\.left, lot)
            Scope(\.right, Self.lot)
        }
        store.scoped(to: \.right).dispatch(Bid(amount: 0))
        #expect(refused.all.isEmpty)
        store.scoped(to: \.left).dispatch(Bid(amount: 0))
        store.dispatch(Bid(amount: 0))
        #expect(refused.all.count == 2)
    }

    @Test func `the log of refusals keeps the last hundred`() {
        let store = Self.store()
        for amount in 0..<250 { store.dispatch(Bid(amount: -amount), to: .row(\.lots, id: 1)) }
        let log = store.diagnostics.refusals
        #expect(log.latest.map { ($0.action as? Bid)?.amount } == (150..<250).map { -$0 })
        #expect(log.counts.values.reduce(0, +) == 250)
    }

    @Test func `refusals that are answered by what is refused end, and are reported once`() {
        let mistakes = Mistakes()
        let options = mistakes.options()
        let link = Guarded<Store<House>?>(nil)
        let calls = Guarded(0)
        let store = Store(House(), options: options) {
            Self.house
            OnRefusal { _ in
                calls.withValue { $0 += 1 }
                for _ in 0..<2 {
                    link.withValue { $0 }?.dispatch(Bid(amount: 0), to: .row(\.lots, id: 1))
                }
            }
        }
        link.withValue { $0 = store }
        #expect(
            store.dispatch(Bid(amount: 0), to: .row(\.lots, id: 1)).reason()
                == BidRefusal.tooLow(least: 1))
        #expect(mistakes.all.map(\.kind) == [.middlewareLoop])
        #expect(mistakes.all.first?.description.contains("CheckTests.Bid") == true)
        #expect(calls.withValue { $0 } <= 200_002)
        link.withValue { $0 = nil }
    }

    @Test func `two reasons of one name are reported`() {
        enum Other: RefusalReason {
            case dark
            static var reasonName: String { "CheckTests.HouseRefusal" }
        }
        let mistakes = Mistakes()
        let options = mistakes.options()
        _ = Store(House(), options: options) {
            Self.house
            Check { (_: House, _: Dark) throws(Other) in }
        }
        #expect(mistakes.all.map(\.kind) == [.nameClash])
        #expect(mistakes.all.first?.description.contains("static var reasonName") == true)
    }
}
