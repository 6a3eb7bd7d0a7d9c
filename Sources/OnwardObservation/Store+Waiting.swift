// SPDX-License-Identifier: MIT

public import OnwardCore

extension Store {
    /// Waits until the state fulfils a condition.
    ///
    /// It checks the states that a subscriber is notified of: the current one at once, then the
    /// newest one whenever commits inside this store's slice are delivered, and once more when the
    /// store has ended. Intermediate states, within a batch or while another call of the condition
    /// runs, are not checked.
    ///
    /// - Parameter condition: Called with each of these states, outside the lock.
    /// - Returns: The first of these states that fulfils the condition.
    /// - Throws: `CancellationError` when the task is cancelled; ``StoreError`` with the code
    ///   `.ended` when the store has ended and its last state does not fulfil the condition.
    @discardableResult
    public func wait(until condition: @escaping @Sendable (State) -> Bool) async throws -> State {
        let wait = Wait<State>()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                wait.start(continuation) { [store = borrowed] in
                    let last = store.state
                    return condition(last) ? .success(last) : .failure(StoreError.ended)
                }
                guard engine.atEnd(of: wait, { wait.end() }) else { return wait.end() }
                let token = subscribe(
                    .selecting({ $0 }, removingDuplicatesBy: { _, _ in false }), initially: true
                ) { _, state in
                    if condition(state) { wait.finish(.success(state)) }
                }
                wait.atEnd { [engine] in
                    token.cancel()
                    engine.forgetEnd(of: wait)
                }
            }
        } onCancel: {
            wait.finish(.failure(CancellationError()))
        }
    }
}

/// A task that waits for a state: answered once, by whatever comes first.
private final class Wait<State: Sendable>: @unchecked Sendable {  // Guarded by `lock`.
    private let lock = Lock()
    private var continuation: CheckedContinuation<State, any Error>?
    private var early: Result<State, any Error>?
    /// The answer to the end of the store.
    private var lastLook: (@Sendable () -> Result<State, any Error>)?
    private var cleanUp: (@Sendable () -> Void)?
    private var isFinished = false

    func start(
        _ continuation: CheckedContinuation<State, any Error>,
        lastLook: @escaping @Sendable () -> Result<State, any Error>
    ) {
        let early = lock.withLock {
            if self.early == nil { (self.continuation, self.lastLook) = (continuation, lastLook) }
            return self.early
        }
        if let early { continuation.resume(with: early) }
    }

    /// Runs `cleanUp` at the end, or at once if the end has come.
    func atEnd(_ cleanUp: @escaping @Sendable () -> Void) {
        let isLate = lock.withLock {
            if !isFinished { self.cleanUp = cleanUp }
            return isFinished
        }
        if isLate { cleanUp() }
    }

    /// The store has ended.
    func end() {
        if let lastLook = lock.withLock({ lastLook }) { finish(lastLook()) }
    }

    func finish(_ result: Result<State, any Error>) {
        var waiting: CheckedContinuation<State, any Error>?
        var cleanUp: (@Sendable () -> Void)?
        var lastLook: (@Sendable () -> Result<State, any Error>)?
        lock.withLock {
            guard !isFinished else { return }
            isFinished = true
            swap(&waiting, &continuation)
            swap(&cleanUp, &self.cleanUp)
            swap(&lastLook, &self.lastLook)
            if waiting == nil { early = result }
        }
        waiting?.resume(with: result)
        cleanUp?()
    }
}
