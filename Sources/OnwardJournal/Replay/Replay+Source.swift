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
    ///   An action that cannot be encoded is left out, and the test goes on with the state after it.
    /// - Throws: ``JournalError/Code/invalid`` for a state that cannot be encoded.
    /// - Complexity: O(entries × size of the state).
    public static func testSource<State: Codable & Sendable>(
        of entries: some Sequence<LogEntry>, from state: State, by store: Store<State>,
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
        of entries: [LogEntry], from state: DataValue, _ codec: ActionCodec, named name: String,
        importing modules: [String] = [], making expression: String,
        next: (LogEntry) throws(JournalError) -> DataValue
    ) throws(JournalError) -> String {
        var logs = [RecordedPart(start: json(state))]
        for entry in entries {
            let after = try next(entry)
            let record: ActionRecord
            do {
                record = try codec.record(of: entry.action, at: entry.version)
            } catch {
                logs.append(
                    RecordedPart(
                        start: json(after),
                        note: "\(entry.action.wireName) is left out: \(error.description)"))
                continue
            }
            var step = "            .init(\n                \(literal(record.name)), "
            step += literal(json(record.payload.stamped(entry.stamp)))
            if entry.address != .root { step += ", at: \(literal(entry.address.description))" }
            step += ",\n                gives: \(literal(json(after)))),\n"
            logs[logs.count - 1].steps.append(step)
        }
        let kept = logs.filter { !$0.steps.isEmpty || $0.note != nil || logs.count == 1 }
        let body = kept.enumerated().map { index, log in
            log.source(named: index == 0 ? "log" : "log\(index + 1)", making: expression)
        }
        return """
            // Written by Replay.testSource.
            // swift-format-ignore-file

            import Onward
            import OnwardTesting
            import Testing
            \(modules.map { "@testable import \($0)\n" }.joined())
            @Test func `\(title(name))`() throws {
            \(body.joined(separator: "\n"))
            }

            """
    }

    /// Entries in a row, all of which can be written, with the state before them.
    private struct RecordedPart {
        let start: String
        /// Why it doesn't follow from the part before.
        var note: String?
        var steps: [String] = []

        func source(named name: String, making expression: String) -> String {
            let note = note.map { note in
                "    // " + note.filter { !$0.isNewline && !isControl($0) } + "\n"
            }
            guard !steps.isEmpty else { return note.map { String($0.dropLast()) } ?? "" }
            return """
                \(note ?? "")    let \(name) = RecordedLog(
                        from: \(literal(start)),
                        [
                \(steps.joined())        ])
                    try \(name).check(by: \(expression))
                """
        }
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
        // Source must not contain control characters, nor any that it could hide behind.
        let visible = text.unicodeScalars.map { scalar in
            guard isControl(Character(scalar)) else { return String(scalar) }
            return "\\\(signs)u{\(String(scalar.value, radix: 16))}"
        }
        return "\(signs)\"\(visible.joined())\"\(signs)"
    }

    private static func isControl(_ character: Character) -> Bool {
        character.unicodeScalars.contains { scalar in
            switch scalar.value {
            // The others change the direction of writing, so that source would read as another.
            case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069:
                true
            default: false
            }
        }
    }
}
