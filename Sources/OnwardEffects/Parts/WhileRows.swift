// SPDX-License-Identifier: MIT

internal import OnwardCore

/// Decides which effects of a `While` live: a pure machine.
///
/// It knows which instances have a value, and answers a change of them with those whose effects have to end
/// and those whose effects have to start. Values are compared by the caller, as that may run foreign code.
struct WhileRows<Key: Hashable & Sendable, Value: Sendable> {
    /// What is to be done.
    enum Step {
        case start(Key, Value)
        /// Carries the value, so that it is released outside any lock.
        case stop(Key, Value)
    }

    private var values: [Key: Value] = [:]
    private(set) var isPaused: Bool

    init(isPaused: Bool = false) {
        self.isPaused = isPaused
    }

    /// The instances that have a value.
    var keys: [Key] { Array(values.keys) }

    /// The value of an instance.
    func value(of key: Key) -> Value? { values[key] }

    /// Instances got new values, or lost theirs.
    mutating func change(_ changes: [(Key, Value?)]) -> [Step] {
        var stops: [Step] = []
        var starts: [Step] = []
        for (key, value) in changes {
            if let old = values[key] { stops.append(.stop(key, old)) }
            if let value { starts.append(.start(key, value)) }
            values[key] = value
        }
        return isPaused ? [] : stops + starts
    }

    /// Nothing lives until `resume`.
    mutating func pause() -> [Step] {
        guard !isPaused else { return [] }
        isPaused = true
        return values.map { .stop($0, $1) }
    }

    /// An instance that has a value lives again.
    mutating func resume() -> [Step] {
        guard isPaused else { return [] }
        isPaused = false
        return values.map { .start($0, $1) }
    }
}
