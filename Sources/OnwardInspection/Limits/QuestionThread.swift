// SPDX-License-Identifier: MIT

internal import Dispatch
internal import Foundation
internal import Onward

/// A thread for questions that are answered one after the other, so that they take none of the
/// threads on which an app's tasks run.
///
/// As a task executor it also runs tasks, such as the one that draws an inspector's page.
package final class QuestionThread: TaskExecutor {
    /// The maximum number of questions that wait.
    package static let mostWaiting = 64

    private let line = Line()

    /// Creates a thread, which begins with the first question.
    package init() {}

    deinit { line.end() }

    /// Answers a question within limits, or not at all if the calling task is cancelled meanwhile.
    ///
    /// - Parameters:
    ///   - limits: The limits, whose time begins when it is this question's turn.
    ///   - work: Finds the answer.
    /// - Returns: The answer.
    /// - Throws: ``InspectorError`` if too many questions wait, or a limit was reached; what `work`
    ///   throws.
    package func answer<Value: Sendable>(
        within limits: QuestionLimits,
        _ work: @escaping @Sendable () throws(InspectorError) -> Value
    ) async throws(InspectorError) -> Value {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation {
                (answer: CheckedContinuation<Result<Value, InspectorError>, Never>) in
                let isTaken = line.append(atMost: Self.mostWaiting) {
                    limits.begin()
                    if limits.isOver, let problem = limits.problem {
                        answer.resume(returning: .failure(problem))
                    } else {
                        answer.resume(
                            returning: Result { () throws(InspectorError) in try work() })
                    }
                }
                if !isTaken { answer.resume(returning: .failure(Self.busy)) }
            }
        } onCancel: {
            limits.cancel()
        }
        if let problem = limits.problem { throw problem }
        return try result.get()
    }

    /// Does something when it is its turn.
    package func run(_ work: @escaping @Sendable () -> Void) {
        _ = line.append(atMost: .max, work)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        run { job.runSynchronously(on: executor) }
    }

    private static let busy = InspectorError(
        .refused, "\(mostWaiting) questions are waiting to be answered. Ask again later.")
}

/// What a thread has to do, and the thread, which ends with the end of the line.
private final class Line: Sendable {
    private struct State {
        var work: [@Sendable () -> Void] = []
        var hasThread = false
        var isEnded = false
    }

    private let state = Guarded(State())
    private let arrivals = DispatchSemaphore(value: 0)

    func append(atMost limit: Int, _ work: @escaping @Sendable () -> Void) -> Bool {
        let (isTaken, isFirst) = state.withValue { state in
            guard state.work.count < limit else { return (false, false) }
            state.work.append(work)
            defer { state.hasThread = true }
            return (true, !state.hasThread)
        }
        if isTaken { arrivals.signal() }
        if isFirst {
            let thread = Thread { [self] in serve() }
            thread.name = "Onward inspector"
            // States may be nested deeper than the small stacks of some systems allow.
            thread.stackSize = 8 << 20
            thread.start()
        }
        return isTaken
    }

    func end() {
        state.withValue { $0.isEnded = true }
        arrivals.signal()
    }

    private func serve() {
        while true {
            arrivals.wait()
            let (work, isEnded) = state.withValue { state in
                (state.work.isEmpty ? nil : state.work.removeFirst(), state.isEnded)
            }
            if let work { work() } else if isEnded { return }
        }
    }
}
