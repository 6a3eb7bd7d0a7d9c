// SPDX-License-Identifier: MIT

/// What a store takes from its surroundings.
///
/// Everything that other libraries keep in global variables belongs to one store here, so that two stores,
/// tests that run side by side and servers don't affect each other.
public struct StoreOptions: Sendable {
    /// The clock that measures durations and on which timers run.
    ///
    /// Reducers are measured under the store's lock, so a clock must not use the store.
    public var clock: any Clock<Duration>
    /// The wall clock that dates entries for observers that ask for the time.
    ///
    /// Called outside the lock, before the commit: where threads commit at one moment, a later entry may be dated
    /// a little earlier.
    public var wallClock: @Sendable () -> Timestamp
    /// Called with programmer errors.
    public var misuse: MisuseHandler
    /// How far loops and queues may go.
    public var limits: Limits
    /// What layers above the core take, by the keys that they declare.
    private var values: [ObjectIdentifier: any Sendable] = [:]

    /// The options of a program in use.
    @usableFromInline
    package init() {
        clock = ContinuousClock()
        wallClock = Timestamp.now
        misuse = .standard
        limits = Limits()
    }

    /// What a layer above the core takes from the surroundings.
    package subscript<Key: StoreOptionKey>(_ key: Key.Type) -> Key.Value {
        get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }
}
