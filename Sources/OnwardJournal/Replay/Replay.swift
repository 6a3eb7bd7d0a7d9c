// SPDX-License-Identifier: MIT

internal import Foundation
public import Onward

/// Checks whether reducers are pure: the same entries from the same state give the same state.
public enum Replay {
    /// Runs a log twice, and compares the runs with each other and with the recording.
    ///
    /// The second run begins a few milliseconds after the end of the first one. It reduces each
    /// entry on a copy of the state that was encoded and decoded, whose objects are different ones,
    /// and on a copy whose dictionaries and sets are in another order. This detects:
    /// - a clock of milliseconds or finer, a random number, a counter outside the state,
    /// - the order of a dictionary or a set in the state,
    /// - an object in the state that a reducer changes in place, with the state before.
    ///
    /// It can't detect: a clock of seconds or days; the order of a dictionary or a set in an
    /// action, or in one that a reducer makes, which two runs of one program usually share;
    /// whatever stays the same while the program runs (its settings, its language, a server's
    /// answer); and changes to what the state doesn't encode. Digests from another run detect
    /// those.
    ///
    /// Values from outside belong in the action.
    ///
    /// - Parameters:
    ///   - entries: The log, such as one that a test recorded or that a journal holds.
    ///   - state: The state before the first entry; it is copied.
    ///   - store: The store with the features; its own state is not touched.
    ///   - digests: The states that were recorded, by the version of the entry that they include.
    /// - Returns: The first entry after which something differs; nil if nothing does.
    /// - Throws: What the state's `encode(to:)` and `init(from:)` throw.
    /// - Complexity: O(entries × size of the state): a check for tests, not for live servers.
    public static func verify<State: Codable & Sendable>(
        _ entries: some Sequence<LogEntry>, from state: State, by store: Store<State>,
        against digests: [CommitVersion: StateDigest] = [:]
    ) throws -> ReplayDifference? {
        let entries = Array(entries)
        let start = try DataValue(encoding: state)
        var hashes: [UInt64] = []
        if let difference = try run(entries, from: start, by: store, digests, &hashes) {
            return difference
        }
        waitForClocks()
        var before = start
        for (entry, hash) in zip(entries, hashes) {
            let (after, other) = try reducedInTwoOrders(entry, from: before, by: store)
            guard Self.hash(after) == hash, other.map({ Self.hash($0) == hash }) ?? true else {
                return try difference(after: entry, from: before, by: store)
            }
            before = after
        }
        return nil
    }

    /// The first run, which is compared with the recording; the hash of each state is noted.
    private static func run<State: Codable & Sendable>(
        _ entries: [LogEntry], from start: DataValue, by store: Store<State>,
        _ digests: [CommitVersion: StateDigest], _ hashes: inout [UInt64]
    ) throws -> ReplayDifference? {
        var state = try start.decoded(as: State.self, texts: .text)
        var before = try DataValue(encoding: state)
        for entry in entries {
            let next = store.log.replay(CollectionOfOne(entry), from: state)
            if let (path, one, other) = before.firstDifference(from: try DataValue(encoding: state))
            {
                return ReplayDifference(
                    kind: .inPlace, entry: entry, path: path, values: [text(one), text(other)])
            }
            let after = try DataValue(encoding: next)
            if let recorded = digests[entry.version],
                let path = StateDigest(of: after).firstDifference(from: recorded)
            {
                let value = path.split(separator: ".").reduce(after as DataValue?) { value, step in
                    value?.parts.first { $0.step == step }?.value
                }
                return ReplayDifference(
                    kind: .fromRecording, entry: entry, path: path, values: [text(value)])
            }
            hashes.append(hash(after))
            (state, before) = (next, after)
        }
        return nil
    }

    /// The state after an entry, from a fresh copy of the state before it.
    private static func reduced<State: Codable & Sendable>(
        _ entry: LogEntry, from before: DataValue, by store: Store<State>
    ) throws -> DataValue {
        let state = try before.decoded(as: State.self, texts: .text)
        return try DataValue(encoding: store.log.replay(CollectionOfOne(entry), from: state))
    }

    /// The same from two copies, the second with its dictionaries and sets in another order; it is
    /// nil if there are none.
    private static func reducedInTwoOrders<State: Codable & Sendable>(
        _ entry: LogEntry, from before: DataValue, by store: Store<State>
    ) throws -> (one: DataValue, other: DataValue?) {
        let (one, other) = try before.decodedInTwoOrders(as: State.self)
        func reduce(_ state: State) throws -> DataValue {
            try DataValue(encoding: store.log.replay(CollectionOfOne(entry), from: state))
        }
        return (try reduce(one), try other.map(reduce))
    }

    /// Runs an entry after which two runs differed, until two runs show where.
    private static func difference<State: Codable & Sendable>(
        after entry: LogEntry, from before: DataValue, by store: Store<State>
    ) throws -> ReplayDifference {
        for _ in 0..<32 {
            let (one, reordered) = try reducedInTwoOrders(entry, from: before, by: store)
            waitForClocks()
            let other = try reordered ?? reduced(entry, from: before, by: store)
            let last = try reduced(entry, from: before, by: store)
            guard
                let (path, one, other) = one.firstDifference(from: other)
                    ?? one.firstDifference(from: last)
            else { continue }
            return ReplayDifference(
                kind: .betweenRuns, entry: entry, path: path, values: [text(one), text(other)])
        }
        return ReplayDifference(kind: .betweenRuns, entry: entry, path: "", values: [])
    }

    /// Lets clocks that count milliseconds advance.
    private static func waitForClocks() { Thread.sleep(forTimeInterval: 0.002) }

    private static func hash(_ value: DataValue) -> UInt64 {
        var hash = FNV64()
        hash.add(DataFormat.cbor.bytes(of: value))
        return hash.value
    }

    private static func text(_ value: DataValue?) -> String {
        guard let value else { return "nothing" }
        let text = String(decoding: DataFormat.json.bytes(of: value), as: UTF8.self)
        return text.count > 200 ? text.prefix(199) + "…" : text
    }
}
