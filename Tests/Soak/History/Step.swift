// SPDX-License-Identifier: MIT

import Onward

/// What a thread of a history does, one thing at a time.
indirect enum Step: Sendable, Hashable {
    case dispatch(Deed)
    case left(PanelDeed)
    case sheet(PanelDeed)
    /// To a row, by an address with one of the texts that mean its id.
    case row(Int, RowDeed, spelling: Int = 0)
    case desk(Bool)
    case claim(Claiming)
    /// With the rows, effects and actions whose ids use the store.
    case odd(OddStep)
    case batch([Step])
    case subscribe(Listening)
    case cancel(Int)
    case cancelAndWait(Int)
    /// Releases the token.
    case release(Int)
    case addWatcher(Int, Field)
    case dropWatcher(Int)
    case dropScreen(Int)
    case observe(Selection)
    case iterate(Selection, Buffering, count: Int, sleep: Int)
    case wait(Field, atLeast: Int)
    case idle
    /// Waits until all that is committed has been notified.
    case notified
    case run(Deed)
    case thunk(EffectPlan)
    case read(Selection)
    case replaceFeatures(Int)
    case takeCommitGate(withholdsOneIn: Int)
    case travel(resuming: Bool)
    case pauseCommitGate, resumeCommitGate
    case leaveCommitGate
    case attachObserver
    case advance(Int)
    case pass
    case shutdown

    /// How a listener subscribes.
    struct Listening: Sendable, Hashable {
        enum Isolation: Sendable, Hashable { case nobody, main, screen(Int) }

        enum Reaction: Sendable, Hashable {
            case nothing
            /// This many times.
            case dispatch(Deed, Int)
            case batch(Deed, Int)
            /// Once, in nobody's name.
            case claim(Claiming)
            case cancelSelf
            case cancel(Int)
            case subscribe(Selection)
            case read
            case idleInTask
        }

        var slot: Int
        var selection: Selection
        var isolation: Isolation = .nobody
        var initially = false
        var reaction: Reaction = .nothing
    }
}
