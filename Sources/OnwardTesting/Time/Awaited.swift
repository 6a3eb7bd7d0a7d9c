// SPDX-License-Identifier: MIT

import Onward

/// A value under a lock, and the tasks that wait until it fulfils a condition.
///
/// Waiting takes real time and has a limit, so that a test that waits for something that never
/// comes ends. On a busy machine the limit is longer.
final class Awaited<Value>: Sendable {
    /// How a wait ended.
    enum End {
        case fulfilled
        /// The limit was reached first.
        case late
        /// The waiting task was cancelled.
        case cancelled
    }

    typealias Condition = @Sendable (Value) -> Bool

    private struct Waiter {
        let condition: Condition
        let continuation: CheckedContinuation<End, Never>
        var timer: Task<Void, Never>?

        func resume(_ end: End) {
            timer?.cancel()
            continuation.resume(returning: end)
        }
    }

    private struct Content {
        var value: Value
        var waiters: [UInt64: Waiter] = [:]
        var lastWaiter: UInt64 = 0
    }

    private let content: Guarded<Content>

    init(_ value: sending Value) {
        content = Guarded(Content(value: value))
    }

    /// Reads or changes the value; tasks whose condition it fulfils then continue.
    ///
    /// - Parameter body: Runs under the lock; it must not call out.
    /// - Returns: What `body` returns.
    func withValue<Result>(_ body: (inout Value) -> Result) -> Result {
        let (result, served) = content.withValue { content -> (Result, [UInt64: Waiter]) in
            let result = body(&content.value)
            let served = content.waiters.filter { $0.value.condition(content.value) }
            for number in served.keys { content.waiters[number] = nil }
            return (result, served)
        }
        for (_, waiter) in served { waiter.resume(.fulfilled) }
        return result
    }

    /// Waits until the value fulfils a condition.
    ///
    /// - Parameters:
    ///   - limit: How much real time it may take.
    ///   - condition: Runs under the lock; it must not call out.
    /// - Returns: How it ended.
    func wait(atMost limit: Duration, until condition: @escaping Condition) async -> End {
        let number: UInt64? = content.withValue { content in
            if condition(content.value) { return nil }
            content.lastWaiter += 1
            return content.lastWaiter
        }
        guard let number else { return .fulfilled }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let end = content.withValue { content -> End? in
                    if condition(content.value) { return .fulfilled }
                    if Task.isCancelled { return .cancelled }
                    content.waiters[number] = Waiter(
                        condition: condition, continuation: continuation)
                    return nil
                }
                guard let end else { return limitWait(number, to: limit) }
                continuation.resume(returning: end)
            }
        } onCancel: {
            end(number, .cancelled)
        }
    }

    private func limitWait(_ number: UInt64, to limit: Duration) {
        let timer = Task.detached { [weak self] in
            // In steps, as each of them waits for a thread like the work that is waited for: where thousands of tests
            // share two threads, both take longer.
            for _ in 0..<20 {
                guard (try? await Task.sleep(for: limit / 20)) != nil else { return }
            }
            self?.end(number, .late)
        }
        let isOver = content.withValue { content in
            content.waiters[number]?.timer = timer
            return content.waiters[number] == nil
        }
        if isOver { timer.cancel() }
    }

    private func end(_ number: UInt64, _ end: End) {
        content.withValue { $0.waiters.removeValue(forKey: number) }?.resume(end)
    }
}
