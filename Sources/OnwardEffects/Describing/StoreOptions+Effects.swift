// SPDX-License-Identifier: MIT

public import OnwardCore

extension StoreOptions {
    private enum ErrorKey: StoreOptionKey {
        static var defaultValue: (@Sendable (EffectFailure) -> Void)? { nil }
    }

    private enum ExecutorKey: StoreOptionKey {
        static var defaultValue: (any TaskExecutor)? { nil }
    }

    /// Called with the errors of effects without a handler, in the task of the effect that failed.
    ///
    /// Without it, a line is written to standard error, except for errors thrown after a
    /// cancellation.
    public var effectError: (@Sendable (EffectFailure) -> Void)? {
        get { self[ErrorKey.self] }
        set { self[ErrorKey.self] = newValue }
    }

    /// The executor of effects and their timers; nil for the pool that all tasks share.
    ///
    /// Child tasks of an effect run there too. Code that an effect awaits on the main actor, or on
    /// an actor with its own executor, runs on that actor's executor.
    public var effectExecutor: (any TaskExecutor)? {
        get { self[ExecutorKey.self] }
        set { self[ExecutorKey.self] = newValue }
    }

    /// Creates options; the defaults are for use in production.
    public init(
        clock: any Clock<Duration> = ContinuousClock(),
        wallClock: @escaping @Sendable () -> Timestamp = Timestamp.now,
        onProgrammerError: (@Sendable (ProgrammerError) -> Void)? = nil,
        limits: StoreLimits = StoreLimits(),
        effectError: (@Sendable (EffectFailure) -> Void)? = nil,
        random: RandomSource? = nil,
        ids: IDSource? = nil,
        effectExecutor: (any TaskExecutor)? = nil
    ) {
        self.init()
        self.clock = clock
        self.wallClock = wallClock
        self.onProgrammerError = onProgrammerError
        self.limits = limits
        self[ErrorKey.self] = effectError
        givenRandom = random
        givenIDs = ids
        self[ExecutorKey.self] = effectExecutor
    }
}
