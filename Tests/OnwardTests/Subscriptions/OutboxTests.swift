// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardCore

@Suite struct OutboxTests {
    @Test
    func `a thread that commits tells, if nobody else does`() {
        let outbox = Machine(limit: 10)
        outbox.commit(1)
        #expect(outbox.claim(7, upTo: 1))
        outbox.commit(2)
        #expect(!outbox.claim(8, upTo: 2))
        #expect(outbox.next() == "deliver 1")
        #expect(outbox.oldestUntold == 2)
    }

    @Test
    func `a commit that finds nothing waiting is told without the queue`() {
        let outbox = Machine(limit: 10)
        #expect(outbox.claim(7, alone: 1))
        #expect(outbox.oldestUntold == 1)
        #expect(!outbox.claim(8, alone: 2))
        outbox.told()
        #expect(outbox.rest())
        #expect(outbox.isIdle)
    }

    @Test
    func `a commit that finds another one waiting, handed over or held is queued`() {
        let waiting = Machine(limit: 10)
        waiting.commit(1)
        #expect(!waiting.claim(7, alone: 2))
        #expect(!handedOver().claim(7, alone: 3))
        let held = Machine(limit: 10)
        held.openBatch()
        #expect(!held.claim(7, alone: 1))
    }

    @Test
    func `what came while a commit was told without the queue is told after it`() {
        let outbox = Machine(limit: 10)
        #expect(outbox.claim(7, alone: 1))
        outbox.commit(2)
        outbox.told()
        #expect(!outbox.rest())
        #expect(!outbox.claim(7, upTo: 2))
        #expect(outbox.next() == "deliver 2")
    }

    @Test
    func `a thread that commits takes up what was handed over, and none goes on besides`() {
        let outbox = handedOver()
        outbox.commit(3)
        #expect(outbox.claim(8, upTo: 3))
        #expect(!outbox.resume(9))
        #expect(outbox.next() == "deliver 2")
        #expect(outbox.next() == "deliver 3")
        #expect(outbox.next() == "rest")
        #expect(outbox.isIdle)
    }

    @Test
    func `a thread that was started goes on where nobody commits`() {
        let outbox = handedOver()
        #expect(!outbox.isIdle)
        #expect(outbox.resume(9))
        #expect(outbox.next() == "deliver 2")
        #expect(outbox.next() == "rest")
    }

    @Test
    func `nobody tells while a batch is open, and what is held is told as one`() {
        let outbox = Machine(limit: 10)
        outbox.openBatch()
        for version in 1...3 as ClosedRange<Version> {
            #expect(outbox.isHolding)
            outbox.hold(version)
            #expect(!outbox.claim(7, upTo: version))
        }
        #expect(!outbox.hasToldAll)
        #expect(outbox.closeBatch())
        #expect(outbox.unseal() == 3)
    }

    @Test
    func `a queue that is full is told before what is held`() {
        let outbox = Machine(limit: 2)
        outbox.commit(1)
        outbox.commit(2)
        #expect(outbox.isHolding)
        #expect(outbox.claim(7, upTo: 2))
        #expect(outbox.next() == "deliver 1")
        #expect(outbox.next() == "deliver 2")
        #expect(outbox.next() == "seal")
    }

    @Test
    func `a version is untold while it is being told`() {
        let outbox = Machine(limit: 10)
        outbox.commit(1)
        #expect(outbox.claim(7, upTo: 1))
        #expect(outbox.next(endsTelling: false) == "deliver 1")
        #expect(outbox.oldestUntold == 1)
        #expect(!outbox.hasToldAll)
        outbox.told()
        #expect(outbox.oldestUntold == nil)
        #expect(outbox.hasToldAll)
    }
}

/// An outbox whose deliverer told its own commit, and left that of another thread.
private func handedOver() -> Machine {
    let outbox = Machine(limit: 10)
    outbox.commit(1)
    #expect(outbox.claim(7, upTo: 1))
    outbox.commit(2)
    #expect(outbox.next() == "deliver 1")
    #expect(outbox.next() == "hand over")
    return outbox
}

/// An outbox in words; one that can't be copied can't stand in an expectation itself.
private final class Machine {
    private var outbox: Outbox

    init(limit: Int) { outbox = Outbox(limit: limit) }

    var isHolding: Bool { outbox.isHolding }
    var isIdle: Bool { outbox.isIdle }
    var hasToldAll: Bool { outbox.hasToldAll }
    var oldestUntold: Version? { outbox.oldestUntold }

    func commit(_ version: Version) {
        outbox.append(Delivery(DeliveryContext(version: version, lastListener: 0)))
    }

    func hold(_ version: Version) {
        let selection = Selection(range: 0..<8, of: TypedValue<Int>())
        let group = SelectionGroup(selection, key: nil, isSame: nil)
        _ = outbox.hold(
            Delivery(DeliveryContext(version: version, lastListener: 0), groups: [group]))
    }

    func unseal() -> Version? { outbox.unseal()?.context.version }

    func claim(_ thread: UInt, upTo version: Version) -> Bool {
        outbox.claim(thread, upTo: version)
    }

    func claim(_ thread: UInt, alone version: Version) -> Bool {
        outbox.claim(thread, alone: version)
    }

    func rest() -> Bool { outbox.rest() }

    func resume(_ thread: UInt) -> Bool { outbox.resume(thread) }

    func openBatch() { outbox.openBatch() }

    func closeBatch() -> Bool { outbox.closeBatch() }

    func told() { outbox.told() }

    func next(endsTelling: Bool = true) -> String {
        switch outbox.next() {
        case .deliver(let delivery):
            if endsTelling { outbox.told() }
            return "deliver \(delivery.context.version)"
        case .call: return "call"
        case .seal: return "seal"
        case .handOver: return "hand over"
        case .rest: return "rest"
        }
    }
}
