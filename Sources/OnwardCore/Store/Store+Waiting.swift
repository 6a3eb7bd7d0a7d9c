// SPDX-License-Identifier: MIT

extension Store {
    /// Waits until the state fulfils a condition.
    ///
    /// - Parameter condition: Runs, outside the lock, on the state at once and after every commit
    ///   inside this store's slice.
    /// - Returns: The first state that fulfils it.
    /// - Throws: `CancellationError` when the task is cancelled; ``StoreError`` with the code
    ///   `.ended` when the store ends first.
    @discardableResult
    public func wait(until condition: @escaping @Sendable (State) -> Bool) async throws -> State {
        let wait = Wait<State>()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                wait.start(continuation)
                let isOpen = engine.atEnd(of: wait) { wait.finish(.failure(StoreError.ended)) }
                guard isOpen else { return wait.finish(.failure(StoreError.ended)) }
                let token = subscribe(
                    .selecting({ $0 }, skippingRepeatsBy: { _, _ in false }), initially: true
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
    private var cleanUp: (@Sendable () -> Void)?
    private var isFinished = false

    func start(_ continuation: CheckedContinuation<State, any Error>) {
        let early = lock.withLock {
            if self.early == nil { self.continuation = continuation }
            return self.early
        }
        if let early { continuation.resume(with: early) }
    }

    /// Has `cleanUp` run at the end, at once when that has come.
    func atEnd(_ cleanUp: @escaping @Sendable () -> Void) {
        let isLate = lock.withLock {
            if !isFinished { self.cleanUp = cleanUp }
            return isFinished
        }
        if isLate { cleanUp() }
    }

    func finish(_ result: Result<State, any Error>) {
        var waiting: CheckedContinuation<State, any Error>?
        var cleanUp: (@Sendable () -> Void)?
        lock.withLock {
            guard !isFinished else { return }
            isFinished = true
            swap(&waiting, &continuation)
            swap(&cleanUp, &self.cleanUp)
            if waiting == nil { early = result }
        }
        waiting?.resume(with: result)
        cleanUp?()
    }
}
