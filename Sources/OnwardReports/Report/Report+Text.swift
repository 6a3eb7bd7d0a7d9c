// SPDX-License-Identifier: MIT

internal import Foundation
internal import Onward
internal import OnwardJournal

extension Report {
    /// The contents of the report, for the person who is going to send it: each value with its
    /// path.
    ///
    /// - Parameter limit: The maximum number of lines; what comes after them is counted.
    /// - Returns: Lines of text.
    /// - Complexity: O(size of the report).
    public func text(lines limit: Int = 10_000) -> String {
        var lines: [String] = []
        if !app.isEmpty { lines.append("App: \(app)") }
        lines.append("System: \(system)")
        lines.append("Entries: \(entries.count) after version \(start.version)")
        if let reduced = ending.reduced {
            lines.append("The program ended while it handled \(reduced.name) (\(reduced.origin)).")
            if let payload = reduced.payload { lines += Self.lines(of: payload, "it") }
        }
        lines += gaps.map { "\($0), which came too fast to be kept." }
        if lastMissing > 0 { lines.append("The last \(lastMissing) entries are missing.") }
        if ending.unencoded > 0 {
            lines.append(
                """
                Entries that are missing, as their actions can't be encoded: \(ending.unencoded). What happened took \
                another course than what is below; make the actions Codable.
                """)
        }
        if let redaction {
            lines.append(
                "\(redaction.replaced) values were replaced by \(redaction.standIns) stand-ins.")
            lines.append(redaction.courseText)
            if !redaction.unmatched.isEmpty {
                let rules = redaction.unmatched.joined(separator: ", ")
                lines.append(
                    """
                    These rules met no value, so look whether what they are meant for is below: \(rules).
                    """)
            }
        } else {
            lines.append("Nothing was replaced.")
        }
        lines += ["", "The state at the beginning:"]
        lines += Self.lines(of: start.payload, "state")
        lines += ["", "What happened:"]
        for entry in entries {
            let place = entry.address == .root ? "" : " @\(entry.address)"
            lines.append(
                "\(entry.version) \(entry.name)\(place) (\(entry.origin))\(Self.moment(entry))")
            lines += Self.lines(of: entry.payload, "")
        }
        if lines.count > limit {
            lines = lines.prefix(limit) + ["… and \(lines.count - limit) more lines"]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// How many commits of the last moments have no entries.
    package var lastMissing: Int { max(gaps.reduce(ending.missing) { $0 - $1.count }, 0) }

    private static func moment(_ entry: JournalEntry) -> String {
        guard let time = entry.time else { return "" }
        let date = Date(timeIntervalSince1970: Double(time.nanosecondsSince1970) / 1e9)
        return " " + date.formatted(.iso8601)
    }

    /// The values of a payload, each with its path.
    private static func lines(of payload: [UInt8], _ root: String) -> [String] {
        let limits = StateLimits.values
        guard let value = try? DataFormat.cbor.value(of: payload, limits: limits) else {
            return ["  \(payload.count) bytes that can't be read"]
        }
        var lines: [String] = []
        func add(_ value: DataValue, _ path: String) {
            let parts = value.parts
            guard parts.isEmpty else {
                for (step, part) in parts { add(part, path.isEmpty ? step : "\(path).\(step)") }
                return
            }
            if value == .null && path.isEmpty || value == [:] && path.isEmpty { return }
            lines.append("  \(path.isEmpty ? "value" : path): \(Replay.json(value))")
        }
        add(value, root)
        return lines
    }
}

extension RedactionSummary {
    /// Whether the course is the same, and what was compared.
    fileprivate var courseText: String {
        guard isFaithful else {
            return "The replaced values lead to another course: \(courseReason)."
        }
        let same = """
            The replaced values lead to the same course: the same entries were handled, the same screens \
            were shown
            """
        guard !questions.isEmpty else {
            return """
                \(same). No question about the state was asked, so no more is known; see \
                Redaction.checking.
                """
        }
        return "\(same), and there were the same answers to: \(questions.joined(separator: ", "))."
    }
}

extension RedactionSummary {
    /// In what the courses differ.
    fileprivate var courseReason: String {
        switch course {
        case .same: "in nothing"
        case .handled(let version): "entry \(version) was handled in one of them only"
        case .routes(let version): "other screens were shown after entry \(version)"
        case .answer(let version, let name):
            "there was another answer to \(name) after entry \(version)"
        case .unreadable(let version): "what stands at version \(version) can't be read"
        }
    }
}

/// How much of a state is read.
enum StateLimits {
    static var values: DataLimits { DataLimits(bytes: 256 << 20, depth: 128, elements: 50_000_000) }
}
