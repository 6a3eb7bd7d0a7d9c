// SPDX-License-Identifier: MIT

import Foundation
import ReSwift
import ReSwiftThunk
import Synchronization
import Testing

@testable import ReSwiftThunkTesting

private struct Rates: Equatable { var euro = 0.0 }
private struct Loading: Action, Equatable {}
private struct SetRate: Action, Equatable { let euro: Double }

@Suite("ExpectThunk", .timeLimit(.minutes(5)))
struct ExpectThunkTests {
    /// The failures that an expectation reported, and their lines.
    private final class Failures: Sendable {
        private let list = Mutex<[(text: String, line: UInt)]>([])

        var texts: [String] { list.withLock { $0.map(\.text) } }
        var lines: [UInt] { list.withLock { $0.map(\.line) } }

        func expect(_ thunk: Thunk<Rates>) -> ExpectThunk<Rates> {
            ExpectThunk(thunk) { text, place in
                self.list.withLock { $0.append((text, place.line)) }
            }
        }
    }

    private let failures = Failures()

    private let raise = Thunk<Rates> { dispatch, getState in
        dispatch(Loading())
        dispatch(SetRate(euro: (getState()?.euro ?? 0) + 1))
    }

    /// Continues on another thread after it returned.
    private let raiseLater = Thunk<Rates> { dispatch, getState in
        dispatch(Loading())
        let held = Held(dispatch: dispatch, getState: getState)
        DispatchQueue.global().async {
            held.dispatch(SetRate(euro: 2))
            if held.getState() == nil { held.dispatch(Loading()) }
        }
    }

    @Test func `A thunk that does what is expected passes, as an app writes it`() {
        var seen: [any Action] = []
        let expected = ExpectThunk(raise)
            .dispatches(Loading())
            .getsState(Rates(euro: 3))
            .dispatches { action in seen.append(action) }
            .run()
        #expect((seen.first as? SetRate) == SetRate(euro: 4))
        #expect(expected.dispatched.count == 2)
        #expect(expected.dispatched.first is Loading)
    }

    @TaskLocal private static var isTest = false

    @Test func `What a queue dispatches wrongly is reported by the test's own task`() async {
        let places = Mutex<[Bool]>([])
        func expect() -> ExpectThunk<Rates> {
            ExpectThunk(raiseLater) { _, _ in places.withLock { $0.append(Self.isTest) } }
                .dispatches(Loading())
                .dispatches(SetRate(euro: 3))
        }
        await Self.$isTest.withValue(true) {
            expect().wait(timeout: 60)
            await expect().finish(timeout: .seconds(60))
        }
        #expect(places.withLock { $0 } == [true, true])
    }

    @Test func `Another dispatch than the expected one fails at the line of the expectation`() {
        let line: UInt = #line + 2
        failures.expect(raise)
            .dispatches(SetRate(euro: 1))
            .dispatches(SetRate(euro: 1))
            .run()
        #expect(
            failures.texts == [
                "The thunk dispatched Loading() where SetRate(euro: 1.0) was expected."
            ])
        #expect(failures.lines == [line])
    }

    @Test func `What it left out fails, each at its line`() {
        let line: UInt = #line + 4
        failures.expect(raise)
            .dispatches(Loading())
            .dispatches(SetRate(euro: 1))
            .dispatches(Loading())
            .dispatches { _ in }
            .getsState(Rates(euro: 0))
            .getsState(Rates(euro: 7))
            .run()
        #expect(
            failures.texts == [
                "The thunk never dispatched Loading().",
                "The thunk never made the dispatch expected here.",
                "The thunk never asked for the state Rates(euro: 7.0).",
            ])
        #expect(failures.lines == [line, line + 1, line + 3])
    }

    @Test func `What it does beyond the expectations is fine, and it gets no more states`() {
        let expected = failures.expect(raise).dispatches(Loading()).run()
        #expect(failures.texts == [])
        #expect(expected.dispatched.last as? SetRate == SetRate(euro: 1))
    }

    @Test func `Thunks that it dispatches are not run`() {
        let outer = Thunk<Rates> { [raise] dispatch, _ in dispatch(raise) }
        let expected = failures.expect(outer).dispatches { #expect($0 is Thunk<Rates>) }.run()
        #expect(expected.dispatched.count == 1)
    }

    @Test func `What a thunk does after it returned is waited for`() {
        let expected = failures.expect(raiseLater)
            .dispatches(Loading())
            .dispatches(SetRate(euro: 2))
            .dispatches(Loading())
            .wait(timeout: 30)
        #expect(failures.texts == [])
        #expect(expected.dispatched.count == 3)
    }

    @Test func `When the time is over the wait fails at its line, and so does what is left`() {
        let line: UInt = #line + 3
        failures.expect(raise)
            .dispatches(Loading())
            .dispatches(SetRate(euro: 1)).dispatches(Loading())
            .wait(timeout: 0.01, description: "Raising")
        #expect(
            failures.texts == [
                "Raising: after 0.01 seconds the thunk had not made all dispatches.",
                "The thunk never dispatched Loading().",
            ])
        #expect(failures.lines == [line + 1, line])
    }

    @MainActor @Test func `A test on the main actor waits for a thunk that comes back to it`() async
    {
        let thunk = Thunk<Rates> { dispatch, getState in
            let held = Held(dispatch: dispatch, getState: getState)
            Task { @MainActor in held.dispatch(Loading()) }
        }
        await failures.expect(thunk).dispatches(Loading()).finish(timeout: .seconds(30))
        #expect(failures.texts == [])
        await failures.expect(thunk).dispatches(Loading()).dispatches(Loading())
            .finish(timeout: .milliseconds(10))
        #expect(failures.texts.count == 2)
    }

    @Test func `A thunk may dispatch from several threads at once`() {
        let thunk = Thunk<Rates> { dispatch, getState in
            let held = Held(dispatch: dispatch, getState: getState)
            DispatchQueue.concurrentPerform(iterations: 100) { _ in held.dispatch(Loading()) }
        }
        var expected = failures.expect(thunk)
        for _ in 0..<100 { expected = expected.dispatches(Loading()) }
        expected.run()
        #expect(failures.texts == [])
        #expect(expected.dispatched.count == 100)
    }

    @Test func `Expectations go when nothing holds them`() {
        weak var gone: ExpectThunk<Rates>?
        do {
            let expected = failures.expect(raise).dispatches(Loading()).run()
            gone = expected
        }
        #expect(gone == nil)
    }
}

/// What a thunk hands to other threads.
private struct Held: @unchecked Sendable {
    let dispatch: DispatchFunction
    let getState: () -> Rates?
}
