// SPDX-License-Identifier: MIT

public import OnwardCore

extension Store {
    /// Dispatches an action and waits for the end of the effects that it starts.
    ///
    /// Effects that are started in turn, by actions that these effects dispatch, are not waited
    /// for; use ``waitUntilIdle()`` for that. If the task is cancelled, waiting ends and the effects
    /// continue. Don't await this method from within a delivery.
    ///
    /// The call stays on the caller's actor, whose subscribers are called before the wait begins.
    ///
    /// - Returns: What became of the action.
    @discardableResult
    public func run<A: Action>(
        _ action: A, file: String = #fileID, line: Int = #line,
        isolation: isolated (any Actor)? = #isolation
    ) async -> DispatchResult {
        let result = dispatch(action, file: file, line: line, isolation: isolation)
        guard let version = result.version else { return result }
        await EffectJob.resting(in: engine, on: .effectsOf(version)) { _ in
            await engine.effects.end(of: version)
        }
        return result
    }

    /// Runs a function as an effect of this store, and waits for its end.
    ///
    /// The function runs in its own task, and is cancelled with the waiting task or when the store
    /// ends. A function on the main actor runs there, any other on no actor.
    /// ``dispatch(id:file:line:_:)`` does the same without waiting.
    ///
    /// - Parameters:
    ///   - id: A name, for the list of running effects.
    ///   - file: The source file, for the list of running effects.
    ///   - line: The source line, for the list of running effects.
    ///   - thunk: The function to run.
    /// - Returns: What the function returns.
    /// - Throws: What the function throws; `CancellationError` if it was cancelled.
    public func run<Result: Sendable>(
        id: (any Hashable & Sendable)? = nil, file: String = #fileID, line: Int = #line,
        @_inheritActorContext _ thunk:
            @escaping @Sendable (EffectContext<State>) async throws -> Result
    ) async throws -> Result {
        let result = Guarded<Result?>(nil)
        let job = start(id, ActionOrigin(file: file, line: line), isAwaited: true) { context in
            let value = try await thunk(context)
            result.withValue { $0 = value }
        }
        let outcome = await withTaskCancellationHandler {
            await job.outcome()
        } onCancel: {
            job.owner.runner.cancel(job)
        }
        if case .failed(let error) = outcome { throw error }
        guard case .finished = outcome, let value = result.withValue({ $0 }) else {
            throw CancellationError()
        }
        return value
    }

    /// Runs a function as an effect of this store, and returns at once, even in asynchronous
    /// code.
    ///
    /// The function runs in its own task, and is cancelled when the store ends. A function on
    /// the main actor runs there, any other on no actor. Errors go to
    /// ``StoreOptions/effectError``. To wait for the end and get the function's result, use
    /// ``run(id:file:line:_:)``.
    ///
    /// - Parameters:
    ///   - id: A name, for the list of running effects.
    ///   - file: The source file, for reports.
    ///   - line: The source line, for reports.
    ///   - thunk: The function to run.
    /// - Returns: A handle for cancelling the function or waiting for its end.
    @discardableResult
    public func dispatch(
        id: (any Hashable & Sendable)? = nil, file: String = #fileID, line: Int = #line,
        @_inheritActorContext _ thunk:
            @escaping @Sendable (EffectContext<State>) async throws -> Void
    ) -> EffectHandle {
        EffectHandle(start(id, ActionOrigin(file: file, line: line), isAwaited: false, thunk))
    }

    private func start(
        _ id: (any Hashable & Sendable)?, _ origin: ActionOrigin, isAwaited: Bool,
        _ thunk: @escaping @Sendable (EffectContext<State>) async throws -> Void
    ) -> EffectJob {
        let runner = engine.effects
        let owner = EffectOwner(
            engine: engine, runner: runner, kind: .thunk, lifetime: nil, address: address,
            action: nil,
            startedBy: nil, order: 0)
        defer { owner.release() }
        let context = EffectContext(owner) { [getter] in $0.engine.read(getter) }
        var effect = Effect.run(id: id, file: origin.file, line: origin.line) {
            try await thunk(context)
        }
        effect.origin = origin
        return runner.submit(
            effect, in: owner, isAwaited: isAwaited, for: isAwaited ? EffectJob.current : nil)
    }
}
