// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal

extension ActionCodec {
    /// What kinds an entry belongs to: all of its action; all of its address; both.
    func kinds(of entry: LogEntry) -> [String] {
        let name = (try? record(of: entry.action).name) ?? "\(type(of: entry.action))"
        return [name, entry.address.description, "\(name) \(entry.address)"]
    }

    /// An entry with values as simple as a test allows; the same one where its action is not `Codable`.
    func simplest(
        _ entry: LogEntry, where passes: (LogEntry) throws(ReportError) -> Bool
    ) throws(ReportError) -> LogEntry {
        guard let record = try? record(of: entry.action) else { return entry }
        var simplest = entry
        _ = try record.payload.simplest { payload throws(ReportError) in
            var record = record
            record.payload = payload
            // What is read in another way, as a field that is missing is read as its default, may be no simpler.
            guard let action = try? action(of: record),
                (try? self.record(of: action)) == record
            else { return false }
            let candidate = entry.with(action)
            guard try passes(candidate) else { return false }
            simplest = candidate
            return true
        }
        return simplest
    }

    /// Numbers and texts that several entries have.
    func shared(in records: [ActionRecord?]) -> [DataValue] {
        var counts: [DataValue: Int] = [:]
        for case let record? in records {
            for value in Set(record.payload.simple) { counts[value, default: 0] += 1 }
        }
        return counts.filter { $0.value > 1 }.keys.sorted { "\($0)" < "\($1)" }
    }

    /// The entries and their records with another value wherever they have a value; nil where none has it, or where
    /// the other one is no payload of theirs.
    func replacing(
        _ value: DataValue, by other: DataValue, in entries: [LogEntry], _ records: [ActionRecord?]
    ) -> (entries: [LogEntry], records: [ActionRecord?])? {
        var (replaced, records) = (entries, records)
        var isFound = false
        for index in entries.indices {
            guard var record = records[index], record.payload.has(value) else { continue }
            record.payload = record.payload.replacing(value, by: other)
            guard let action = try? action(of: record),
                (try? self.record(of: action)) == record
            else { return nil }
            (replaced[index], records[index]) = (entries[index].with(action), record)
            isFound = true
        }
        return isFound ? (replaced, records) : nil
    }
}

extension DataValue {
    /// The numbers and texts in this value.
    fileprivate var simple: [DataValue] {
        switch self {
        case .null, .bool, .bytes: []
        case .integer, .unsigned, .number, .text: [self]
        case .list(let values): values.flatMap(\.simple)
        case .object(let fields): fields.values.flatMap(\.simple)
        }
    }

    /// Whether it has a number or a text somewhere.
    fileprivate func has(_ value: DataValue) -> Bool {
        switch self {
        case .list(let values): values.contains { $0.has(value) }
        case .object(let fields): fields.values.contains { $0.has(value) }
        default: self == value
        }
    }

    fileprivate func replacing(_ value: DataValue, by other: DataValue) -> DataValue {
        switch self {
        case value: other
        case .list(let values): .list(values.map { $0.replacing(value, by: other) })
        case .object(let fields): .object(fields.mapValues { $0.replacing(value, by: other) })
        default: self
        }
    }
}

extension LogEntry {
    /// The same entry with another action.
    func with(_ action: any Action) -> LogEntry {
        LogEntry(
            version: version, action: action, address: address, parent: parent, origin: origin,
            time: time, stamp: stamp)
    }
}
