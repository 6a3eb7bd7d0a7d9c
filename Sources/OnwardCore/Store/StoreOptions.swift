// SPDX-License-Identifier: MIT

/// What a store takes from its surroundings.
///
/// Everything that other libraries keep in global variables belongs to one store here, so that two
/// stores, tests that run side by side and servers don't meet.
public struct StoreOptions: Sendable {
    /// The clock that measures durations and on which timers run.
    ///
    /// Reducers are measured under the store's lock, so a clock must not use the store.
    public var clock: any Clock<Duration>
    /// The wall clock that dates entries for observers which ask for the time.
    ///
    /// Called like a reducer, under the store's lock, so that later entries are not dated earlier: it must
    /// not use the store.
    public var wallClock: @Sendable () -> Timestamp
    /// Hears of programmer errors.
    public var misuse: MisuseHandler
    /// How far loops and queues may go.
    public var limits: Limits
    /// Hears of the errors of effects that have no handler of their own.
    public var effectError: EffectErrorHandler
    /// Where effects get random numbers from.
    public var random: RandomSource
    /// Where effects get ids from.
    public var ids: IDSource
    /// Where effects and their timers run; nil for the pool that all tasks share.
    ///
    /// Child tasks of an effect run there too. What an effect awaits on the main actor, or on an actor
    /// with an executor of its own, runs where that actor says.
    public var effectExecutor: (any TaskExecutor)?

    /// Options, by default those of a program in use.
    public init(
        clock: any Clock<Duration> = ContinuousClock(),
        wallClock: @escaping @Sendable () -> Timestamp = Timestamp.now,
        misuse: MisuseHandler = .standard,
        limits: Limits = Limits(),
        effectError: EffectErrorHandler = .standard,
        random: RandomSource = RandomSource(),
        ids: IDSource = IDSource(),
        effectExecutor: (any TaskExecutor)? = nil
    ) {
        self.clock = clock
        self.wallClock = wallClock
        self.misuse = misuse
        self.limits = limits
        self.effectError = effectError
        self.random = random
        self.ids = ids
        self.effectExecutor = effectExecutor
    }
}
