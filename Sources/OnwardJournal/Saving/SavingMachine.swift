// SPDX-License-Identifier: MIT

/// What is known about a place where a value is kept, and what has to be written there: it decides,
/// and does nothing itself.
///
/// The newest value is read when its write begins and forgotten only when that write succeeded.
/// Since writes follow one another, an older value never comes after a newer one.
///
/// Contents that nobody has read are never overwritten. If nothing tried to read them before the
/// first write, that write has to look first: there may be nothing, or just what the store began
/// with. Nor is anything overwritten unseen that another program wrote since: contents other than
/// those read or written last, and those that a failed write may have left.
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
    /// The contents that were read, or written without an error.
    private var settled: SavedContents?
    /// What else may be there and be overwritten: what failed writes may have left.
    private var attempted: [SavedContents] = []
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

    /// Whether another program wrote the contents that were found.
    mutating func isReplaced(_ found: [UInt8]) -> Bool {
        let found = SavedContents(found)
        guard found == settled || attempted.contains(found) else { return true }
        // An earlier attempt left nothing else.
        attempted = attempted.filter { $0 == found }
        return false
    }

    /// Whether everything was written, and is to be there.
    var isSaved: Bool { newest == nil && settled != nil && obstacle == nil }

    /// Whether the contents were read, or written without an error.
    func isSettled(_ bytes: [UInt8]) -> Bool { SavedContents(bytes) == settled }

    /// Notes contents that a write may leave, or that are kept elsewhere: they may be overwritten.
    mutating func mayBeThere(_ bytes: [UInt8]) { attempted.append(SavedContents(bytes)) }

    /// Ends a write that has succeeded; a value that was noted meanwhile still waits.
    ///
    /// - Returns: What is no longer needed, to be released outside the lock.
    mutating func succeed(_ write: Write, _ bytes: [UInt8]) -> Write? {
        (settled, attempted) = (SavedContents(bytes), [])
        guard let waiting = newest, waiting.number == write.number else { return nil }
        newest = nil
        waited = nil
        return waiting
    }

    /// Ends an attempt to read the contents; nil if they may be overwritten.
    ///
    /// - Returns: What is no longer needed, to be released outside the lock.
    mutating func read(_ found: [UInt8]?, obstacle: SavingError?) -> Value? {
        self.obstacle = obstacle
        (settled, attempted) = (found.map(SavedContents.init), [])
        isRead = true
        defer { beginning = nil }
        return beginning
    }

    /// Ends an examination of the contents; a reader in the meantime knows better.
    mutating func look(_ found: [UInt8]?, obstacle: SavingError?) -> Value? {
        isRead ? nil : read(found, obstacle: obstacle)
    }
}

/// What identifies contents, without keeping them.
struct SavedContents: Hashable, Sendable {
    private let count: Int
    private let sum: UInt64

    init(_ bytes: [UInt8]) {
        var sum = Checksum()
        sum.add(bytes)
        (count, self.sum) = (bytes.count, sum.value)
    }
}
