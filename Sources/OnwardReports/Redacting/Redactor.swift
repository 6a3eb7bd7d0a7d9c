// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal

/// Replaces what must not leave the device in one report.
struct Redactor<State: Codable & Sendable> {
    let redaction: Redaction<State>
    private(set) var standIns = StandIns()
    private(set) var unmatched: UnmatchedRules<State>

    init(_ redaction: Redaction<State>) {
        self.redaction = redaction
        unmatched = UnmatchedRules(of: redaction)
    }

    /// A state with stand-ins.
    mutating func redacted(_ state: State) throws -> DataValue {
        let shape = ValueShape()
        try shape.add(state)
        let redaction = redaction
        let value = try DataValue(revealing: state)
        unmatched.note(state: value)
        return redacted(value, shape, []) { redaction.verdict(state: $0) }
    }

    /// The record of an action with stand-ins.
    mutating func redacted(_ record: ActionRecord, of action: any Action) throws -> ActionRecord {
        var record = record
        unmatched.note(record)
        let shape = ValueShape()
        if let action = action as? any Encodable { try shape.add(action) }
        let inner = record.caseName.map { shape.fields[$0] } ?? shape
        let (redaction, name) = (redaction, record.name)
        // A case that is not one of the program's may be anything.
        if let caseName = record.caseName, shape.fields[caseName] == nil, !shape.isConstant {
            record.caseName = standIns.standIn(for: caseName)
        }
        record.payload = redacted(record.payload, inner, []) {
            redaction.verdict(action: name, $0)
        }
        return record
    }

    /// An address whose ids have the stand-ins of the same values; comes after what has these values.
    mutating func redacted(_ address: Address) -> Address {
        var path: [String] = []
        return Address(
            address.components.map { component in
                if case .slice(let name) = component {
                    path += name.split(separator: ".").map(String.init)
                }
                guard let id = Address([component]).rowID else { return component }
                // Rules don't ask which row it is.
                path.append("0")
                let isShown = redaction.verdict(state: path + ["id"]) == .allowed
                return .row(RowKey(text: redacted(id: id, isShown: isShown)))
            })
    }

    /// What stands for an id of a row: an id with parts has a stand-in for each.
    private mutating func redacted(id: String, isShown: Bool) -> String {
        guard id.first == "{" || id.first == "[",
            let parts = try? DataFormat.json.value(of: Array(id.utf8))
        else { return standIn(forPart: id, isShown: isShown) }
        let rest = redacted(parts: parts, isShown: isShown)
        return String(decoding: DataFormat.json.bytes(of: rest), as: UTF8.self)
    }

    private mutating func redacted(parts: DataValue, isShown: Bool) -> DataValue {
        switch parts {
        case .text(let text): return .text(standIn(forPart: text, isShown: isShown))
        case .integer(let number):
            let text = standIn(forPart: String(number), isShown: isShown)
            return Int64(text).map { .integer($0) } ?? parts
        case .list(let values):
            return .list(values.map { redacted(parts: $0, isShown: isShown) })
        case .object(let fields):
            var rest: [String: DataValue] = [:]
            for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
                rest[standIns.known(name) ?? name] = redacted(parts: value, isShown: isShown)
            }
            return .object(rest)
        case .null, .bool, .unsigned, .number, .bytes: return parts
        }
    }

    /// A stamp with a stand-in for the author.
    mutating func redacted(_ stamp: EntryStamp) -> EntryStamp {
        EntryStamp(
            seed: stamp.seed, numbers: stamp.numbers, time: stamp.time,
            author: stamp.author.map { standIn(forPart: $0, isShown: false) })
    }

    /// Keeps the first ids that an action has drawn, of which no reducer has said how many there are.
    mutating func keepIDs(of stamp: EntryStamp) {
        let stamp = Stamp(stamp)
        for _ in 0..<16 { standIns.keepAsItIs(stamp.id().description) }
    }

    private mutating func standIn(forPart text: String, isShown: Bool) -> String {
        switch redaction.verdict(text: text) ?? (isShown ? .allowed : nil) {
        case .allowed: text
        case .hidden: standIns.standIn(for: text)
        case nil: standIns.standIn(forID: text)
        }
    }

    private mutating func redacted(
        _ value: DataValue, _ shape: ValueShape?, _ path: [String], isHidden: Bool = false,
        _ verdict: ([String]) -> Redaction<State>.Verdict?
    ) -> DataValue {
        let decided = verdict(path)
        let isHidden = isHidden || shape?.isRedacted == true || decided == .hidden
        switch value {
        case .null: return value
        case .list(let values):
            return .list(
                values.enumerated().map { index, value in
                    redacted(
                        value, shape?.element, path + ["\(index)"], isHidden: isHidden, verdict)
                })
        case .object(let fields):
            let isNamed = shape?.hasNamesOfUsers == false
            var object: [String: DataValue] = [:]
            for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
                let inside = path + [name]
                let field = isNamed ? shape?.fields[name] : shape?.element
                let kept =
                    isNamed || (shape?.hasNumberedNames == true && !isHidden)
                    || (!isHidden && isAllowed(name, verdict(inside)))
                if kept, !isNamed { standIns.keep(name) }
                object[kept ? name : standIns.standIn(for: name)] =
                    redacted(value, field, inside, isHidden: isHidden, verdict)
            }
            return .object(object)
        case .text(let text):
            if isHidden { return standIns.standIn(for: value) }
            if shape?.isConstant == true { return value }
            guard isAllowed(text, decided) else { return standIns.standIn(for: value) }
            standIns.keep(text)
            return value
        case .bytes:
            return !isHidden && decided == .allowed ? value : standIns.standIn(for: value)
        case .integer(let number):
            guard isHidden else { return value }
            if path.last == "id" { standIns.noteID(number) }
            return standIns.standIn(for: value)
        case .bool, .unsigned, .number:
            return isHidden ? standIns.standIn(for: value) : value
        }
    }

    /// Whether a text may stay at a place about which rules say something, or nothing.
    private func isAllowed(_ text: String, _ decided: Redaction<State>.Verdict?) -> Bool {
        switch redaction.verdict(text: text) {
        case .hidden: false
        case .allowed: true
        case nil: decided == .allowed
        }
    }
}
