// SPDX-License-Identifier: MIT

public import Onward
public import OnwardJournal

/// A journal that wraps another one and is slow, fails, or is appended to by another writer, for
/// testing code that uses journals.
///
/// What goes wrong, and when, follows from the seed and the order of the calls. No real time
/// passes.
public struct FaultInjectingJournal<Base: Journal>: Journal {
    /// What goes wrong.
    public struct Disturbance: Sendable {
        /// How often each call lets other tasks run before and after it.
        public var slowness = 0
        /// How many of 100 calls fail with `JournalError.Code.storage`: half of them before doing
        /// anything, half of them after doing what was asked.
        public var failures = 0
        /// How many of 100 appends are preceded by another writer's append.
        public var others = 0

        /// Creates a disturbance; without arguments, nothing goes wrong.
        public init(slowness: Int = 0, failures: Int = 0, others: Int = 0) {
            self.slowness = slowness
            self.failures = failures
            self.others = others
        }
    }

    /// The name of the entries that the other writer appends.
    public static var othersName: String { "SomebodyElse" }

    private let base: Base
    private let disturbance: Disturbance
    private let random: RandomSource

    /// Creates a disturbed journal.
    ///
    /// - Parameters:
    ///   - base: The journal that does the work.
    ///   - disturbance: What goes wrong.
    ///   - seed: The same seed gives the same disturbances.
    public init(_ base: Base, _ disturbance: Disturbance, seed: UInt64 = 0) {
        self.base = base
        self.disturbance = disturbance
        random = RandomSource(seed: seed)
    }

    /// Where the wrapped journal ends.
    public func lastPosition() async throws(JournalError) -> JournalPosition {
        try await disturbed { () async throws(JournalError) in try await base.lastPosition() }
    }

    /// Appends, perhaps after an entry of the other writer.
    public func append(
        _ entries: [JournalEntry], after expected: JournalPosition
    ) async throws(JournalError) {
        if chance(disturbance.others) {
            let last = try await base.lastPosition()
            try? await base.append(
                [JournalEntry(version: last.version + 1, name: Self.othersName)], after: last)
        }
        try await disturbed { () async throws(JournalError) in
            try await base.append(entries, after: expected)
        }
    }

    /// Reads a page.
    public func entries(
        from version: CommitVersion, limit: Int
    ) async throws(JournalError) -> [JournalEntry] {
        try await disturbed { () async throws(JournalError) in
            try await base.entries(from: version, limit: limit)
        }
    }

    /// Waits for an entry.
    public func wait(after version: CommitVersion) async throws(JournalError) {
        try await disturbed { () async throws(JournalError) in
            try await base.wait(after: version)
        }
    }

    /// Finds a snapshot.
    public func snapshot(at version: CommitVersion) async throws(JournalError) -> JournalSnapshot? {
        try await disturbed { () async throws(JournalError) in
            try await base.snapshot(at: version)
        }
    }

    /// Stores a snapshot.
    public func store(_ snapshot: JournalSnapshot) async throws(JournalError) {
        try await disturbed { () async throws(JournalError) in try await base.store(snapshot) }
    }

    /// Forgets old entries.
    public func truncate(before version: CommitVersion) async throws(JournalError) {
        try await disturbed { () async throws(JournalError) in
            try await base.truncate(before: version)
        }
    }

    /// Stores a snapshot of the state after an entry.
    public func store(
        _ snapshot: JournalSnapshot, at position: JournalPosition
    ) async throws(JournalError) {
        try await disturbed { () async throws(JournalError) in
            try await base.store(snapshot, at: position)
        }
    }

    /// Forgets old entries, if an entry is known.
    public func truncate(
        before version: CommitVersion, at position: JournalPosition
    ) async throws(JournalError) {
        try await disturbed { () async throws(JournalError) in
            try await base.truncate(before: version, at: position)
        }
    }

    /// Erases the contents of entries.
    public func erase(
        _ entries: [JournalEntry], _ snapshots: [JournalSnapshot]
    ) async throws(JournalError) {
        try await disturbed { () async throws(JournalError) in
            try await base.erase(entries, snapshots)
        }
    }

    /// Ends the wrapped journal.
    public func close() async { await base.close() }

    /// That of the wrapped journal.
    public var durability: Durability { base.durability }

    /// The file of the wrapped journal.
    public var replayMarkPath: String? { base.replayMarkPath }

    /// Suspends the wrapped journal.
    public func suspend() async { await base.suspend() }

    /// Resumes the wrapped journal.
    public func resume() async throws(JournalError) { try await base.resume() }

    private func chance(_ hundredths: Int) -> Bool {
        // A copy, which shares its place in the stream of numbers.
        var random = random
        return hundredths > 0 && Int.random(in: 0..<100, using: &random) < hundredths
    }

    private func disturbed<Value: Sendable>(
        _ call: () async throws(JournalError) -> Value
    ) async throws(JournalError) -> Value {
        for _ in 0..<disturbance.slowness { await Task.yield() }
        let fails = chance(disturbance.failures)
        if fails, chance(50) {
            throw JournalError(.storage, "The test's journal failed before it did anything.")
        }
        let value = try await call()
        for _ in 0..<disturbance.slowness { await Task.yield() }
        if fails { throw JournalError(.storage, "The test's journal failed after it did it.") }
        return value
    }
}
