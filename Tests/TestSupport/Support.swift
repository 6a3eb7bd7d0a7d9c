// SPDX-License-Identifier: MIT

import Foundation
import Onward

/// A list that several threads append to.
final class Log<Element: Sendable>: Sendable {
    private let elements = Guarded<[Element]>([])

    var all: [Element] { elements.withValue { $0 } }

    func append(_ element: Element) { elements.withValue { $0.append(element) } }
}

/// Collects programmer errors instead of stopping the program.
final class Mistakes: Sendable {
    private let log = Log<ProgrammerError>()

    var all: [ProgrammerError] { log.all }
    var kinds: [ProgrammerError.Kind] { all.map(\.kind) }

    /// Options of a store whose mistakes are collected here.
    func options(limits: StoreLimits = StoreLimits()) -> StoreOptions {
        StoreOptions(onProgrammerError: { [log] in log.append($0) }, limits: limits)
    }
}

/// A gate that accepts everything; what it installs is what is tested.
struct AcceptAll<State: Sendable>: CommitGate {
    func accepts(_ pending: PendingCommit) -> Bool { true }
}

/// Runs a closure on a number of threads of their own and returns when all are done.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for index in 0..<count {
        group.enter()
        let thread = Thread {
            body(index)
            group.leave()
        }
        thread.stackSize = 1 << 20
        thread.start()
    }
    group.wait()
}

/// How long this thread's processor works for a closure.
///
/// Unlike the time of a clock, this doesn't grow with what else runs.
func processorTime(_ body: () throws -> Void) rethrows -> Duration {
    func now() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
    let begin = now()
    try body()
    return now() - begin
}

/// A number of operations, scaled down where a run is slowed down by a sanitizer.
func scaled(_ count: Int) -> Int {
    let scale = ProcessInfo.processInfo.environment["ONWARD_STRESS_SCALE"].flatMap(Double.init)
    return max(1, Int(Double(count) * (scale ?? 1)))
}

/// A middleware made of a closure over the action as a value.
struct ClosureMiddleware<State: Sendable>: Middleware {
    let body: @Sendable (any Action, borrowing MiddlewareContext<State>) -> DispatchResult?

    /// `body` returns nil to pass the action on.
    init(
        _ body:
            @escaping @Sendable (any Action, borrowing MiddlewareContext<State>) -> DispatchResult?
    ) {
        self.body = body
    }

    func handle<A: Action>(
        _ action: A, in context: borrowing MiddlewareContext<State>
    ) -> DispatchResult {
        body(action, context) ?? context.next(action)
    }
}

/// An observer made of a closure.
struct Observe<State: Sendable>: CommitObserver {
    var needs: ObserverNeeds = []
    let body: @Sendable (Commit<State>) -> Void

    func observe(_ commit: Commit<State>) { body(commit) }
}

/// Runs a closure when it is released.
final class Parting: Sendable {
    private let atEnd: @Sendable () -> Void

    init(_ atEnd: @escaping @Sendable () -> Void) { self.atEnd = atEnd }

    deinit { atEnd() }
}
