// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardCore
@testable import TestSupport

@Suite struct DeliveryQueueTests {
    @Test
    func `a thread that commits notifies, if no other thread does`() {
        let queue = Machine(limit: 10)
        queue.commit(1)
        #expect(queue.claim(7, upTo: 1))
        queue.commit(2)
        #expect(!queue.claim(8, upTo: 2))
        #expect(queue.next() == "deliver 1")
        #expect(queue.oldestUnnotified == 2)
    }

    @Test
    func `a commit that finds nothing waiting is notified without the queue`() {
        let queue = Machine(limit: 10)
        #expect(queue.claim(7, alone: 1))
        #expect(queue.oldestUnnotified == 1)
        #expect(!queue.claim(8, alone: 2))
        queue.settle()
        #expect(queue.next() == "rest")
        #expect(queue.isIdle)
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
    func `what came while a commit was notified without the queue is notified after it`() {
        let queue = Machine(limit: 10)
        #expect(queue.claim(7, alone: 1))
        queue.commit(2)
        queue.settle()
        #expect(!queue.claim(7, upTo: 2))
        #expect(queue.next() == "deliver 2")
    }

    @Test
    func `a thread that commits takes up what was handed over, and no other one resumes it`() {
        let queue = handedOver()
        queue.commit(3)
        #expect(queue.claim(8, upTo: 3))
        #expect(!queue.resume(9))
        #expect(queue.next() == "deliver 2")
        #expect(queue.next() == "deliver 3")
        #expect(queue.next() == "rest")
        #expect(queue.isIdle)
    }

    @Test
    func `a thread that was started resumes where no thread commits`() {
        let queue = handedOver()
        #expect(!queue.isIdle)
        #expect(queue.resume(9))
        #expect(queue.next() == "deliver 2")
        #expect(queue.next() == "rest")
    }

    @Test
    func `no thread notifies while a batch is open, and what is held is delivered as one`() {
        let queue = Machine(limit: 10)
        queue.openBatch()
        for version in 1...3 as ClosedRange<Version> {
            #expect(queue.isHolding)
            queue.hold(version)
            #expect(!queue.claim(7, upTo: version))
        }
        #expect(!queue.hasNotifiedAll)
        #expect(queue.closeBatch())
        #expect(queue.endHolding() == 3)
    }

    @Test
    func `commits that are delivered as one are unnotified until all of them are`() {
        let queue = Machine(limit: 10)
        queue.openBatch()
        queue.hold(1, hasPart: true)
        queue.hold(2, hasPart: true)
        #expect(queue.closeBatch())
        queue.join()
        queue.commit(3)
        #expect(queue.claim(7, upTo: 3))
        // The entries come one by one, the subscribers after the last of them.
        for step in ["deliver 1", "deliver 2", "deliver 2"] {
            #expect(queue.oldestUnnotified == 1)
            #expect(queue.next() == step)
        }
        #expect(queue.oldestUnnotified == 3)
    }

    @Test
    func `a queue that is full is notified before what is held`() {
        let queue = Machine(limit: 2)
        queue.commit(1)
        queue.commit(2)
        #expect(queue.isHolding)
        #expect(queue.claim(7, upTo: 2))
        #expect(queue.next() == "deliver 1")
        #expect(queue.next() == "deliver 2")
        #expect(queue.next() == "join")
    }

    @Test
    func `a call apart from commits is made by who delivers, else by a thread that is started`() {
        let queue = Machine(limit: 10)
        #expect(queue.callApart())
        // Only one thread is started.
        #expect(!queue.callApart())
        #expect(queue.resume(9))
        #expect(queue.next() == "deliver 1")
        #expect(!queue.callApart())
        for _ in 1...2 { #expect(queue.next() == "deliver 1") }
        #expect(queue.next() == "rest")
        #expect(queue.isIdle)
    }

    @Test
    func `a version is unnotified while it is being notified`() {
        let queue = Machine(limit: 10)
        queue.commit(1)
        #expect(queue.claim(7, upTo: 1))
        #expect(queue.next(endsNotification: false) == "deliver 1")
        #expect(queue.oldestUnnotified == 1)
        #expect(!queue.hasNotifiedAll)
        queue.settle()
        #expect(queue.oldestUnnotified == nil)
        #expect(queue.hasNotifiedAll)
    }
}

/// A queue whose deliverer given its own commit, and left that of another thread.
private func handedOver() -> Machine {
    let queue = Machine(limit: 10)
    queue.commit(1)
    #expect(queue.claim(7, upTo: 1))
    queue.commit(2)
    #expect(queue.next() == "deliver 1")
    #expect(queue.next() == "hand over")
    return queue
}

/// A queue in words: the queue itself can't be copied, so an expectation can't hold it.
private final class Machine {
    private var queue: DeliveryQueue

    init(limit: Int) { queue = DeliveryQueue(limit: limit) }

    var isHolding: Bool { queue.isHolding }
    var isIdle: Bool { queue.isIdle }
    var hasNotifiedAll: Bool { queue.hasNotifiedAll }
    var oldestUnnotified: Version? { queue.oldestUnnotified }

    func commit(_ version: Version) {
        queue.append(Delivery(DeliveryContext(version: version, lastListener: 0)))
    }

    func hold(_ version: Version, hasPart: Bool = false) {
        let getter = AnyGetter(range: 0..<8, of: TypedValue<Int>())
        let group = SubscriberGroup(getter, key: nil, isSame: nil)
        queue.hold(
            Delivery(
                DeliveryContext(version: version, lastListener: 0), groups: [group],
                parts: hasPart ? [ExtraCall({})] : []))
    }

    func join() {
        var rest: [DispatchChain] = []
        guard let delivery = queue.endHolding(releasing: &rest) else { return }
        queue.append(delivery)
    }

    func endHolding() -> Version? {
        var rest: [DispatchChain] = []
        return queue.endHolding(releasing: &rest)?.context.version
    }

    /// Adds a call of version 1 that belongs to no commit.
    func callApart() -> Bool {
        queue.append(
            apart: Delivery(
                DeliveryContext(version: 1, lastListener: 0), parts: [ExtraCall({})]))
    }

    func claim(_ thread: UInt, upTo version: Version) -> Bool {
        queue.claim(thread, upTo: version)
    }

    func claim(_ thread: UInt, alone version: Version) -> Bool {
        queue.claim(thread, alone: version)
    }

    func resume(_ thread: UInt) -> Bool { queue.resume(thread) }

    func openBatch() { queue.openBatch() }

    func closeBatch() -> Bool { queue.closeBatch() }

    func settle() { queue.settle() }

    func next(endsNotification: Bool = true) -> String {
        switch queue.next() {
        case .deliver(let delivery):
            if endsNotification { queue.settle() }
            return "deliver \(delivery.context.version)"
        case .join: return "join"
        case .handOver: return "hand over"
        case .rest: return "rest"
        }
    }
}
