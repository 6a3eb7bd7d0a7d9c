// SPDX-License-Identifier: MIT

public import OnwardCore

extension StoreOptions {
    private enum ErrorKey: StoreOptionKey {
        static var defaultValue: (@Sendable (EffectFailure) -> Void)? { nil }
    }

    private enum RandomKey: StoreOptionKey {
        static var defaultValue: RandomSource? { nil }
    }

    private enum IDsKey: StoreOptionKey {
        static var defaultValue: IDSource? { nil }
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

    /// The source of random numbers for effects.
    ///
    /// Unless it is set, each store has another one, and so it is another one each time it is read:
    /// stores that are made of the same options, such as those of visitors, share no numbers.
    public var random: RandomSource {
        get { self[RandomKey.self] ?? RandomSource() }
        set { self[RandomKey.self] = newValue }
    }

    /// The source of ids for effects.
    ///
    /// Unless it is set, each store has another one, and so it is another one each time it is read:
    /// stores that are made of the same options, such as those of visitors, share no ids.
    public var ids: IDSource {
        get { self[IDsKey.self] ?? IDSource() }
        set { self[IDsKey.self] = newValue }
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
        misuse: (@Sendable (Misuse) -> Void)? = nil,
        limits: Limits = Limits(),
        effectError: (@Sendable (EffectFailure) -> Void)? = nil,
        random: RandomSource? = nil,
        ids: IDSource? = nil,
        effectExecutor: (any TaskExecutor)? = nil
    ) {
        self.init()
        self.clock = clock
        self.wallClock = wallClock
        self.misuse = misuse
        self.limits = limits
        self[ErrorKey.self] = effectError
        self[RandomKey.self] = random
        self[IDsKey.self] = ids
        self[ExecutorKey.self] = effectExecutor
    }
}
