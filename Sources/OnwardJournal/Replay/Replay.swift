// SPDX-License-Identifier: MIT

public import Onward

/// Shows whether reducers are pure: the same entries from the same state give the same state.
public enum Replay {
    /// Runs a log twice, and compares the runs with each other and with what was recorded.
    ///
    /// A reducer that asks a clock, draws random numbers, counts in a global variable or depends on the
    /// order of a `Set` makes two runs differ, or a run differ from the one that was recorded. Values
    /// from outside belong in the action.
    ///
    /// - Parameters:
    ///   - entries: The log, such as one that a test recorded or a journal holds.
    ///   - state: The state before the first entry.
    ///   - store: The store with the features; its own state is not touched.
    ///   - digests: The states that were recorded, by the version of the entry that they include.
    /// - Returns: The first entry after which something differs; nil where nothing does.
    /// - Throws: What the state's `encode(to:)` throws.
    /// - Complexity: O(entries × size of the state): a check for tests, not for servers at work.
    public static func verify<State: Encodable & Sendable>(
        _ entries: some Sequence<Entry>, from state: State, by store: Store<State>,
        against digests: [Version: StateDigest] = [:]
    ) throws -> ReplayDifference? {
        var (first, second) = (state, state)
        for entry in entries {
            first = store.log.replay(CollectionOfOne(entry), from: first)
            second = store.log.replay(CollectionOfOne(entry), from: second)
            let (one, other) = (try DataValue(encoding: first), try DataValue(encoding: second))
            if let (path, one, other) = one.firstDifference(from: other) {
                return ReplayDifference(
                    kind: .betweenRuns, entry: entry, path: path, values: [text(one), text(other)])
            }
            guard let recorded = digests[entry.version] else { continue }
            if let path = StateDigest(of: one).firstDifference(from: recorded) {
                let value = path.split(separator: ".").reduce(one as DataValue?) { value, step in
                    value?.parts.first { $0.step == step }?.value
                }
                return ReplayDifference(
                    kind: .fromRecording, entry: entry, path: path, values: [text(value)])
            }
        }
        return nil
    }

    private static func text(_ value: DataValue?) -> String {
        guard let value else { return "nothing" }
        let text = String(decoding: DataFormat.json.bytes(of: value), as: UTF8.self)
        return text.count > 200 ? text.prefix(199) + "…" : text
    }
}
