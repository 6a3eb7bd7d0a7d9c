// SPDX-License-Identifier: MIT

public import OnwardCore

extension Store {
    /// Dispatches an action and waits for the end of the effects that it starts.
    ///
    /// What these effects start in turn, with the actions that they dispatch, is not waited for;
    /// ``idle()`` does that. When the task is cancelled, waiting ends and the effects continue. Don't
    /// await it from within a delivery.
    ///
    /// It stays on the actor of the caller, whose subscribers are called before the wait begins.
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
    /// It runs in a task of its own, and is cancelled with the task that waits, or when the store ends.
    /// A function that is written on the main actor runs there, any other on no actor.
    /// ``dispatch(id:file:line:_:)`` does the same without waiting.
    ///
    /// - Parameters:
    ///   - id: A name, for the list of running effects.
    ///   - file: The source file, for the list of running effects.
    ///   - line: The source line, for the list of running effects.
    ///   - thunk: The function.
    /// - Returns: What it returns.
    /// - Throws: What it throws; `CancellationError` when it was cancelled.
    public func run<Result: Sendable>(
        id: (any Hashable & Sendable)? = nil, file: String = #fileID, line: Int = #line,
        @_inheritActorContext _ thunk:
            @escaping @Sendable (EffectContext<State>) async throws -> Result
    ) async throws -> Result {
        let result = Guarded<Result?>(nil)
        let job = start(id, Origin(file: file, line: line), isAwaited: true) { context in
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

    /// Dispatches a function: runs it as an effect of this store, and returns at once, even in code
    /// that could wait.
    ///
    /// It runs in a task of its own, and is cancelled when the store ends. A function that is written
    /// on the main actor runs there, any other on no actor. What it throws goes to
    /// ``StoreOptions/effectError``. ``run(id:file:line:_:)`` waits for the end, and gives the result
    /// of the function.
    ///
    /// - Parameters:
    ///   - id: A name, for the list of running effects.
    ///   - file: The source file, for reports.
    ///   - line: The source line, for reports.
    ///   - thunk: The function.
    /// - Returns: A handle, to cancel it or to wait for its end.
    @discardableResult
    public func dispatch(
        id: (any Hashable & Sendable)? = nil, file: String = #fileID, line: Int = #line,
        @_inheritActorContext _ thunk:
            @escaping @Sendable (EffectContext<State>) async throws -> Void
    ) -> EffectHandle {
        EffectHandle(start(id, Origin(file: file, line: line), isAwaited: false, thunk))
    }

    private func start(
        _ id: (any Hashable & Sendable)?, _ origin: Origin, isAwaited: Bool,
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
