// SPDX-License-Identifier: MIT

public import Onward
internal import OnwardJournal

/// A log as text, with the states that it led to, used by the tests that `Replay.testSource` of
/// `OnwardJournal` writes.
///
/// ```swift
/// let log = RecordedLog(
///     from: #"{"balance":5}"#,
///     [.init("BankAction/deposit", #"{"value":7}"#, gives: #"{"balance":12}"#)])
/// try log.check(by: Store(Bank()) { bank })
/// ```
public struct RecordedLog: Sendable, Hashable {
    /// One action of the log.
    public struct Step: Sendable, Hashable {
        let name: String
        let payload: String
        let address: String
        let state: String?

        /// Creates a step from an action and what it led to.
        ///
        /// - Parameters:
        ///   - name: Its name, such as `BankAction/deposit`.
        ///   - payload: Its payload as JSON.
        ///   - address: The instance that it was meant for; empty for every one.
        ///   - state: The state after it as JSON; nil if that does not matter.
        public init(
            _ name: String, _ payload: String = "{}", at address: String = "",
            gives state: String? = nil
        ) {
            self.name = name
            self.payload = payload
            self.address = address
            self.state = state
        }
    }

    /// Where the replay of a log differs from its recording.
    public struct Mismatch: Error, CustomStringConvertible {
        /// The number of the step, from 1; 0 for the state before the first one.
        public let step: Int
        /// The step, the place in the state, and both values.
        public let description: String
    }

    private let state: String
    private let steps: [Step]

    /// Creates a log.
    ///
    /// - Parameters:
    ///   - state: The state before the first step as JSON.
    ///   - steps: The actions, in order.
    public init(from state: String, _ steps: [Step]) {
        self.state = state
        self.steps = steps
    }

    /// Runs the log through a store's reducers, and compares the state after each step.
    ///
    /// - Parameter store: The store with the features; its own state is not touched.
    /// - Throws: ``Mismatch`` with the first step that differs, or that can no longer be read.
    /// - Complexity: O(steps × size of the state).
    public func check<State: Codable & Sendable>(by store: Store<State>) throws {
        _ = try state(by: store)
    }

    /// Runs the log through a store's reducers and returns the last state, comparing each step that
    /// has a state.
    ///
    /// - Parameter store: The store with the features; its own state is not touched.
    /// - Returns: The state after the last step.
    /// - Throws: ``Mismatch`` with the first step that differs, or that can no longer be read.
    /// - Complexity: O(steps × size of the state).
    public func state<State: Codable & Sendable>(by store: Store<State>) throws -> State {
        let codec = ActionCodec(for: store.log.actions, format: .json)
        var current: State
        do {
            current = try Self.value(state).decoded(as: State.self)
        } catch {
            throw Mismatch(
                step: 0, description: "The first state is no \(State.self) any more: \(error)")
        }
        for (index, step) in steps.enumerated() {
            func mismatch(_ reason: String) -> Mismatch {
                Mismatch(step: index + 1, description: "Step \(index + 1), \(step.name): \(reason)")
            }
            guard let address = Address(step.address) else {
                throw mismatch("\"\(step.address)\" is no address.")
            }
            let entries: [LogEntry]
            do {
                entries = try codec.decode(
                    JournalEntry(
                        version: CommitVersion(index + 1),
                        id: EntryID(high: 0, low: UInt64(index + 1)), name: step.name,
                        schema: codec.schema(of: step.name), payload: Array(step.payload.utf8),
                        address: address))
            } catch {
                throw mismatch("\(error)")
            }
            current = store.log.replay(entries, from: current)
            guard let expected = step.state else { continue }
            // Both by way of JSON, which has fewer kinds of numbers.
            let found = try Self.value(Self.text(DataValue(encoding: current)))
            guard let difference = try Self.value(expected).firstDifference(from: found)
            else { continue }
            let (path, old, new) = difference
            throw mismatch(
                """
                the state differs from the recorded one in \
                \(path.isEmpty ? "the whole" : path): recorded is \(Self.text(old)), but it is \
                \(Self.text(new)).
                """)
        }
        return current
    }

    private static func value(_ text: String) throws -> DataValue {
        try DataFormat.json.value(
            of: Array(text.utf8), limits: DataLimits(bytes: .max, elements: .max))
    }

    private static func text(_ value: DataValue?) -> String {
        value.map { String(decoding: DataFormat.json.bytes(of: $0), as: UTF8.self) } ?? "nothing"
    }
}
