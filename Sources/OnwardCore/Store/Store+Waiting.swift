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

    /// Waits until nothing is being delivered, nothing waits to be, and no effect of an action is at
    /// work or waits to start.
    ///
    /// Effects that a piece of state keeps alive (``While``) are not waited for, as they don't end by
    /// themselves. An effect of an action that never ends, or whose timer stands still with a manual
    /// clock, is waited for. Awaited inside an effect, or a task made there, it waits for the others; those
    /// that wait like this themselves, or with ``run(_:file:line:isolation:)``, count as at rest for each
    /// other, and so does what stands in a queue behind them (``EffectPolicy/queue``).
    ///
    /// Not to be awaited from within a delivery's own chain of calls.
    public func idle() async {
        await engine.idle()
    }

    /// Ends the store in a stated order: dispatches are refused from now on; effects are cancelled and
    /// have ended; deliveries that are due are made; subscribers and observers are let go; tasks
    /// that wait are told.
    ///
    /// The state stays readable. A second call does nothing more than wait for rest. An effect that
    /// does not heed its cancellation is waited for. Not to be awaited inside an effect.
    ///
    /// - Returns: What was dropped: the effects of actions, and dispatched functions, that had not ended,
    ///   oldest first, as they were before they were cancelled. Of these, `.waiting` and `.queued` ones
    ///   never began, such as a debounced one that was to save; `.running` ones were cut off. Those of
    ///   ``While`` are not among them.
    @discardableResult
    public func shutdown() async -> [RunningEffect] {
        let isFirst = engine.close()
        let dropped = engine.effects.finish()
        await engine.effects.empty()
        await engine.rest()
        if isFirst { engine.end() }
        return dropped
    }
}

/// Someone who waits for a state: answered once, by the first that comes.
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
