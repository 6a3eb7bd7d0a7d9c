// SPDX-License-Identifier: MIT

public import Onward

extension Replay {
    /// Generates a Swift Testing test that runs a log's entries and expects the resulting states.
    ///
    /// The test uses `RecordedLog` of `OnwardTesting`. It contains actions and states as JSON, so
    /// it doesn't need their initializers.
    ///
    /// ```swift
    /// let source = try Replay.testSource(
    ///     of: log, from: Bank(), by: store, named: "a deposit is there",
    ///     importing: ["BankCore"], making: "Store(Bank()) { bank }")
    /// ```
    ///
    /// - Parameters:
    ///   - entries: The entries, in order.
    ///   - state: The state before the first one.
    ///   - store: The store with the features; its own state is not touched.
    ///   - name: The name of the test.
    ///   - modules: The modules of the app; imported with `@testable`.
    ///   - expression: Swift source that creates such a store.
    /// - Returns: The contents of a source file.
    /// - Throws: ``JournalError/Code/invalid`` for an action or a state that cannot be encoded.
    /// - Complexity: O(entries × size of the state).
    public static func testSource<State: Codable & Sendable>(
        of entries: some Sequence<Entry>, from state: State, by store: Store<State>,
        named name: String, importing modules: [String] = [], making expression: String
    ) throws(JournalError) -> String {
        var current = state
        return try testSource(
            of: entries.filter { $0.kind == .action }, from: try value(of: state),
            ActionCodec(for: store.log.actions, format: .json), named: name, importing: modules,
            making: expression
        ) { entry throws(JournalError) in
            current = store.log.replay(CollectionOfOne(entry), from: current)
            return try value(of: current)
        }
    }

    /// Generates a test whose state after each entry is passed as a value.
    package static func testSource(
        of entries: [Entry], from state: DataValue, _ codec: ActionCodec, named name: String,
        importing modules: [String] = [], making expression: String,
        next: (Entry) throws(JournalError) -> DataValue
    ) throws(JournalError) -> String {
        var steps: [String] = []
        for entry in entries {
            let after = try next(entry)
            let record = try codec.record(of: entry.action, at: entry.version)
            var step = "            .init(\n                \(literal(record.name)), "
            step += literal(json(record.payload))
            if entry.address != .root { step += ", at: \(literal(entry.address.description))" }
            step += ",\n                gives: \(literal(json(after)))),\n"
            steps.append(step)
        }
        let title = title(name)
        return """
            // SPDX-License-Identifier: MIT
            // Written by Replay.testSource.
            // swift-format-ignore-file

            import Onward
            import OnwardTesting
            import Testing
            \(modules.map { "@testable import \($0)\n" }.joined())
            @Test func `\(title)`() throws {
                let log = RecordedLog(
                    from: \(literal(json(state))),
                    [
            \(steps.joined())        ])
                try log.check(by: \(expression))
            }

            """
    }

    /// A name that is valid in backticks.
    package static func title(_ name: String) -> String {
        let title = name.filter { $0 != "`" && $0 != "\\" && !$0.isNewline && !isControl($0) }
        return title.isEmpty ? "replays a log" : title
    }

    private static func value(of state: some Encodable) throws(JournalError) -> DataValue {
        do {
            return try DataValue(encoding: state)
        } catch {
            throw JournalError(
                .invalid, "The state cannot be encoded: \(ActionCodec.reason(error)).")
        }
    }

    package static func json(_ value: DataValue) -> String {
        String(decoding: DataFormat.json.bytes(of: value), as: UTF8.self)
    }

    /// A string literal for a text, whatever it contains.
    package static func literal(_ text: String) -> String {
        // Uses more number signs than follow any quotation mark or backslash.
        var (most, run) = (0, -1)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): run = 0
            case UInt8(ascii: "#") where run >= 0: run += 1
            default: run = -1
            }
            most = max(most, run + 1)
        }
        let signs = String(repeating: "#", count: most)
        // Source must not contain control characters.
        let visible = text.unicodeScalars.map { scalar in
            guard isControl(Character(scalar)) else { return String(scalar) }
            return "\\\(signs)u{\(String(scalar.value, radix: 16))}"
        }
        return "\(signs)\"\(visible.joined())\"\(signs)"
    }

    private static func isControl(_ character: Character) -> Bool {
        character.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    }
}
