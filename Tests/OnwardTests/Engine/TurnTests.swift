// SPDX-License-Identifier: MIT

import Testing

@testable import OnwardCore

@Suite struct TurnTests {
    private func held(by thread: UInt, mostRounds: Int = 10) -> Machine {
        let turn = Machine(mostRounds: mostRounds)
        #expect(turn.beginAtOnce(thread))
        return turn
    }

    /// A turn that thread 7 has handed over, with a request of thread 8.
    private func handedOver() -> Machine {
        let turn = held(by: 7)
        #expect(!turn.ask(8))
        #expect(turn.next(hasAnswers: false) == .handOver(startsTask: true))
        return turn
    }

    @Test
    func `a thread that asks makes a round, if no other thread does`() {
        let turn = held(by: 7)
        #expect(!turn.isWaiting)
        #expect(!turn.beginAtOnce(8))
        #expect(turn.next(hasAnswers: false) == .rest)
        #expect(turn.isFree)
    }

    @Test
    func `what the holder asks for meanwhile is another round of its own`() {
        let turn = held(by: 7)
        #expect(!turn.ask(7))
        #expect(turn.next(hasAnswers: false) == .round)
        turn.beginRound()
        #expect(turn.next(hasAnswers: false) == .rest)
    }

    @Test
    func `one round covers all that was asked for until it begins`() {
        let turn = held(by: 7)
        for thread in [8, 7, 9] as [UInt] { #expect(!turn.ask(thread)) }
        #expect(turn.next(hasAnswers: false) == .round)
        turn.beginRound()
        #expect(!turn.isWaiting)
        #expect(turn.next(hasAnswers: false) == .rest)
    }

    @Test
    func `what others ask for is handed over, and one task is started for it`() {
        let turn = handedOver()
        #expect(turn.resume(9))
        turn.beginRound()
        #expect(turn.next(hasAnswers: false) == .rest)
    }

    @Test
    func `a thread that asks takes up what was handed over; the task then finds nothing`() {
        let turn = handedOver()
        #expect(turn.ask(8))
        turn.beginRound()
        #expect(!turn.ask(9))
        // The task is still on its way.
        #expect(turn.next(hasAnswers: false) == .handOver(startsTask: false))
        #expect(turn.resume(10))
        turn.beginRound()
        #expect(turn.next(hasAnswers: false) == .rest)
        #expect(!turn.resume(11))
    }

    @Test
    func `while a batch is open no round begins, and who closes it takes the turn`() {
        let turn = Machine(mostRounds: 10)
        turn.openBatch()
        turn.openBatch()
        #expect(!turn.ask(7))
        #expect(!turn.closeBatch(7))
        #expect(turn.closeBatch(8))
        turn.beginRound()
        #expect(turn.next(hasAnswers: false) == .rest)
    }

    @Test
    func `a holder rests while a batch is open, and leaves what waits to it`() {
        let turn = held(by: 7)
        turn.openBatch()
        #expect(!turn.ask(7))
        #expect(turn.next(hasAnswers: false) == .rest)
        #expect(turn.isWaiting)
        #expect(turn.closeBatch(8))
    }

    @Test
    func `a batch without a commit takes no turn`() {
        let turn = Machine(mostRounds: 10)
        turn.openBatch()
        #expect(!turn.closeBatch(7))
        #expect(turn.isFree)
    }

    @Test
    func `each step that follows from a round is covered by a round before the next step`() {
        let turn = held(by: 7)
        #expect(turn.next(hasAnswers: true) == .answer)
        #expect(!turn.ask(7))
        #expect(turn.next(hasAnswers: true) == .round)
        turn.beginRound()
        #expect(turn.next(hasAnswers: true) == .answer)
        #expect(turn.next(hasAnswers: false) == .rest)
    }

    @Test
    func `a holder whose rounds always lead to others hands over in the end`() {
        let turn = held(by: 7, mostRounds: 3)
        for _ in 2...3 {
            #expect(!turn.ask(7))
            #expect(turn.next(hasAnswers: false) == .round)
            turn.beginRound()
        }
        #expect(!turn.ask(7))
        #expect(turn.next(hasAnswers: false) == .handOver(startsTask: true))
    }
}

/// A turn in an object, so that expectations may change it.
private final class Machine {
    private var turn: Turn

    init(mostRounds: Int) { turn = Turn(mostRounds: mostRounds) }

    var isFree: Bool { turn.isFree }
    var isWaiting: Bool { turn.isWaiting }
    func beginAtOnce(_ thread: UInt) -> Bool { turn.beginAtOnce(thread) }
    func ask(_ thread: UInt) -> Bool { turn.ask(thread) }
    func beginRound() { turn.beginRound() }
    func next(hasAnswers: Bool) -> Turn.Step { turn.next(hasAnswers: hasAnswers) }
    func resume(_ thread: UInt) -> Bool { turn.resume(thread) }
    func openBatch() { turn.openBatch() }
    func closeBatch(_ thread: UInt) -> Bool { turn.closeBatch(thread) }
}
