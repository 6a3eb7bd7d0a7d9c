// SPDX-License-Identifier: MIT

/// What is known about a place where a value is kept, and what has to be written there: it decides,
/// and does nothing itself.
///
/// The newest value is read when its write begins and forgotten only when that write succeeded.
/// Since writes follow one another, an older value never comes after a newer one.
///
/// Contents that nobody has read are never overwritten. If nothing tried to read them before the
/// first write, that write has to look first: there may be nothing, or just what the store began
/// with.
struct SavingMachine<Value> {
    /// A value that a write takes, with the number under which it was noted.
    struct Write {
        let value: Value
        fileprivate let number: UInt64
    }

    /// The newest value, as long as it was not written.
    private var newest: Write?
    /// How many values were noted.
    private var count: UInt64 = 0
    /// Whether the value that the store began with is known.
    private var isBegun = false
    /// Whether the contents were read, or could not be.
    private(set) var isRead = false
    /// The value that the store began with, until the contents were read.
    private(set) var beginning: Value?
    /// How long there has been an unwritten value.
    private var waited: (@Sendable () -> Duration)?
    /// Why nothing may be written, such as contents that could not be read.
    private(set) var obstacle: SavingError?

    /// Takes the newest value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - stopwatch: Measures from now on.
    ///   - old: Receives what is no longer needed, to be released outside the lock.
    /// - Returns: How long there has been an unwritten value; nil for the value that a store begins
    ///   with, which is not written.
    mutating func note(
        _ value: Value, stopwatch: @escaping @Sendable () -> Duration, old: inout Write?
    ) -> (@Sendable () -> Duration)? {
        guard isBegun else {
            isBegun = true
            if !isRead { beginning = value }
            return nil
        }
        old = newest
        count += 1
        newest = Write(value: value, number: count)
        if old == nil { waited = stopwatch }
        return waited
    }

    /// The value to be written now; nil where there is none.
    func begin() -> Write? { newest }

    /// Ends a write that has succeeded; a value that was noted meanwhile still waits.
    ///
    /// - Returns: What is no longer needed, to be released outside the lock.
    mutating func succeed(_ write: Write) -> Write? {
        guard let waiting = newest, waiting.number == write.number else { return nil }
        newest = nil
        waited = nil
        return waiting
    }

    /// Ends an attempt to read the contents; nil if they may be overwritten.
    ///
    /// - Returns: What is no longer needed, to be released outside the lock.
    mutating func read(obstacle: SavingError?) -> Value? {
        self.obstacle = obstacle
        isRead = true
        defer { beginning = nil }
        return beginning
    }

    /// Ends an examination of the contents; a reader in the meantime knows better.
    mutating func look(obstacle: SavingError?) -> Value? {
        isRead ? nil : read(obstacle: obstacle)
    }
}
