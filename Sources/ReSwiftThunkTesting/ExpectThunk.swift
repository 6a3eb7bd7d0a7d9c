// SPDX-License-Identifier: MIT

public import Foundation
public import ReSwift
public import ReSwiftThunk
internal import Synchronization

/// Runs a thunk with given states, and checks what it dispatches.
///
/// ```swift
/// ExpectThunk(loadRate(from: bank))
///     .dispatches(Loading())
///     .getsState(Rates(euro: 1))
///     .dispatches { action in #expect((action as? SetRate)?.euro == 1.1) }
///     .run()
/// ```
///
/// Dispatches are compared in order, and states are handed out in order. There is no store: what
/// the thunk dispatches goes nowhere, even if it is another thunk. A thunk may dispatch more than
/// expected, and one that asks for more states gets nil.
///
/// Failures are reported at the lines of the expectations, in Swift Testing and in XCTest, with the
/// trait `Testing` of the package; without it a failure stops the program with the message.
///
/// The thunk may use any thread. Its results are behind a lock, hence `@unchecked`; the test sets
/// its expectations before it runs. An action need not be `Sendable`, and is no longer changed.
public final class ExpectThunk<State>: @unchecked Sendable {
    /// Something that is to happen, and the line that says so.
    private struct Expected<Content> {
        let text: String
        let callSite: CallSite
        let content: Content
    }

    private struct Progress: @unchecked Sendable {  // Touched under a lock.
        var dispatches: [Expected<DispatchFunction>] = []
        var states: [Expected<State>] = []
        var dispatched: [any Action] = []
        /// What was wrong with dispatches, to be reported where the test waits.
        var failures: [(message: String, callSite: CallSite)] = []
        /// Whether a dispatch came when none was expected any more, or met the last expectation.
        var isDone = false
    }

    private let thunk: Thunk<State>
    private let progress = Mutex(Progress())
    let report: @Sendable (_ message: String, CallSite) -> Void

    /// Makes expectations of a thunk, none so far.
    public convenience init(_ thunk: Thunk<State>) {
        self.init(thunk) { ThunkIssue.report($0, at: $1) }
    }

    init(_ thunk: Thunk<State>, report: @escaping @Sendable (String, CallSite) -> Void) {
        self.thunk = thunk
        self.report = report
    }

    /// What the thunk has dispatched so far, in order.
    public var dispatched: [any Action] {
        get { progress.withLock { $0.dispatched } }
        set {
            var actions = newValue
            progress.withLock { swap(&$0.dispatched, &actions) }
        }
    }
}

extension ExpectThunk {
    /// Expects the next dispatch to be of an action that equals this one.
    public func dispatches<A: Action & Equatable>(
        _ expected: A, fileID: StaticString = #fileID, file: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) -> Self {
        let callSite = CallSite(fileID: fileID, filePath: file, line: line, column: column)
        // Kept and called by these expectations.
        let check: DispatchFunction = { [unowned self] action in
            guard action as? A != expected else { return }
            let message = "The thunk dispatched \(action) where \(expected) was expected."
            progress.withLock { $0.failures.append((message, callSite)) }
        }
        expect(Expected(text: "dispatched \(expected)", callSite: callSite, content: check))
        return self
    }

    /// Expects the next dispatch to be of an action that a closure accepts.
    ///
    /// The closure runs on the thread that dispatches, and fails the test itself.
    public func dispatches(
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column, dispatch assertion: @escaping DispatchFunction
    ) -> Self {
        let callSite = CallSite(fileID: fileID, filePath: file, line: line, column: column)
        expect(
            Expected(
                text: "made the dispatch expected here", callSite: callSite, content: assertion))
        return self
    }

    /// Sets the state that the thunk gets the next time it asks for one.
    public func getsState(
        _ state: State, fileID: StaticString = #fileID, file: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) -> Self {
        let callSite = CallSite(fileID: fileID, filePath: file, line: line, column: column)
        let expected = Expected(
            text: "asked for the state \(state)", callSite: callSite, content: state)
        let box = Sent(value: expected)
        progress.withLock { $0.states.append(box.value) }
        return self
    }
}

extension ExpectThunk {
    /// Runs the thunk, and fails for every expectation not met by the time it returned.
    @discardableResult
    public func run(file: StaticString = #filePath, line: UInt = #line) -> Self {
        start()
        failLeftovers()
        return self
    }

    /// Runs the thunk, waits until all expectations are met, and fails for those that were not.
    ///
    /// Blocks the thread; on the main thread the run loop continues. Where the thunk needs the main
    /// actor and the test runs on it, use ``finish(timeout:fileID:file:line:column:)``.
    ///
    /// - Parameters:
    ///   - seconds: How long to wait, in seconds.
    ///   - fileID: The test's file.
    ///   - file: The test's file.
    ///   - line: The line that fails when the time is up.
    ///   - column: The column in that line.
    ///   - description: What the test waits for, for that message.
    /// - Returns: These expectations.
    @discardableResult
    public func wait(
        timeout seconds: TimeInterval = 1, fileID: StaticString = #fileID,
        file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        description: String = "\(ExpectThunk.self)"
    ) -> Self {
        start()
        let end = Date(timeIntervalSinceNow: seconds)
        while !isComplete, Date() < end {
            let next = min(end, Date(timeIntervalSinceNow: 0.002))
            if !Thread.isMainThread || !RunLoop.current.run(mode: .default, before: next) {
                Thread.sleep(until: next)
            }
        }
        let callSite = CallSite(fileID: fileID, filePath: file, line: line, column: column)
        conclude(description, "\(seconds) seconds", callSite)
        return self
    }

    /// The same without blocking the thread.
    @discardableResult
    public func finish(
        timeout: Duration = .seconds(1), fileID: StaticString = #fileID,
        file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) async -> Self {
        start()
        let end = ContinuousClock.now + timeout
        while !isComplete, ContinuousClock.now < end {
            // Even a cancelled task waits no longer than the timeout.
            if (try? await Task.sleep(for: .milliseconds(2))) == nil { await Task.yield() }
        }
        let callSite = CallSite(fileID: fileID, filePath: file, line: line, column: column)
        conclude("\(Self.self)", "\(timeout)", callSite)
        return self
    }
}

extension ExpectThunk {
    private var isComplete: Bool { progress.withLock { $0.isDone && $0.states.isEmpty } }

    private func expect(_ expected: Expected<DispatchFunction>) {
        let box = Sent(value: expected)
        progress.withLock { $0.dispatches.append(box.value) }
    }

    private func start() {
        createThunkMiddleware()({ self.take($0) }, { self.nextState() })({ _ in })(thunk)
    }

    /// Checks a dispatch, outside the lock.
    private func take(_ action: any Action) {
        let action = Sent(value: action)
        let check = progress.withLock { progress -> Sent<DispatchFunction>? in
            progress.dispatched.append(action.value)
            guard !progress.dispatches.isEmpty else {
                progress.isDone = true
                return nil
            }
            return Sent(value: progress.dispatches.removeFirst().content)
        }
        check?.value(action.value)
        // After the check, so that no waiter continues while it runs.
        progress.withLock { if $0.dispatches.isEmpty { $0.isDone = true } }
    }

    private func nextState() -> State? {
        progress.withLock { progress in
            Sent(value: progress.states.isEmpty ? nil : progress.states.removeFirst().content)
        }.value
    }

    private func conclude(_ description: String, _ time: String, _ callSite: CallSite) {
        if !progress.withLock({ $0.isDone }) {
            report("\(description): after \(time) the thunk had not made all dispatches.", callSite)
        }
        failLeftovers()
    }

    /// Reports all failures, from the test's own thread and task: test libraries lose what is reported elsewhere.
    private func failLeftovers() {
        let (failures, dispatches, states) = progress.withLock { progress in
            defer { progress.failures = [] }
            return Sent(value: (progress.failures, progress.dispatches, progress.states))
        }.value
        for failure in failures { report(failure.message, failure.callSite) }
        for left in dispatches { report("The thunk never \(left.text).", left.callSite) }
        for left in states { report("The thunk never \(left.text).", left.callSite) }
    }
}

/// What goes in and out of the lock, whose content need not be `Sendable`, as `ExpectThunk` says.
private struct Sent<Value>: @unchecked Sendable {
    let value: Value
}
