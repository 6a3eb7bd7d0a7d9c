// SPDX-License-Identifier: MIT

/// What a store takes from its surroundings.
///
/// Everything that other libraries keep in global variables belongs to one store here, so that two
/// stores, tests that run side by side and servers don't meet.
public struct StoreOptions: Sendable {
    /// The clock that measures durations and on which timers run.
    public var clock: any Clock<Duration>
    /// The wall clock that dates entries for observers which ask for the time.
    public var wallClock: @Sendable () -> Timestamp
    /// Who hears of programmer errors.
    public var misuse: MisuseHandler
    /// How far loops and queues may go.
    public var limits: Limits

    /// Options, by default those of a program in use.
    public init(
        clock: any Clock<Duration> = ContinuousClock(),
        wallClock: @escaping @Sendable () -> Timestamp = Timestamp.now,
        misuse: MisuseHandler = .standard,
        limits: Limits = Limits()
    ) {
        self.clock = clock
        self.wallClock = wallClock
        self.misuse = misuse
        self.limits = limits
    }
}
