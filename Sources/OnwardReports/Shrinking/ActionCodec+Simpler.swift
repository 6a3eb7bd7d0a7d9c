// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal

extension ActionCodec {
    /// What kinds an entry belongs to: all of its action; all of its address; both.
    func kinds(of entry: Entry) -> [String] {
        let name = (try? record(of: entry.action).name) ?? "\(type(of: entry.action))"
        return [name, entry.address.description, "\(name) \(entry.address)"]
    }

    /// What is a step simpler than an entry, the simplest first; nothing where its action is not `Codable`.
    func simpler(_ entry: Entry) -> [Entry] {
        guard let record = try? record(of: entry.action) else { return [] }
        return record.payload.simpler.compactMap { payload in
            var record = record
            record.payload = payload
            // What is read in another way, as a field that is missing is read as its default, may be no simpler.
            guard let action = try? action(of: record),
                (try? self.record(of: action)) == record
            else { return nil }
            return entry.with(action)
        }
    }

    /// Values that several entries have, and for each what is a step simpler.
    func simplerShared(in entries: [Entry]) -> [(value: DataValue, simpler: DataValue)] {
        var counts: [DataValue: Int] = [:]
        var shared: [DataValue] = []
        for entry in entries {
            guard let record = try? record(of: entry.action) else { continue }
            for value in Set(record.payload.simple) {
                counts[value, default: 0] += 1
                if counts[value] == 2 { shared.append(value) }
            }
        }
        return shared.sorted { "\($0)" < "\($1)" }.flatMap { value in
            value.simpler.map { (value, $0) }
        }
    }

    /// The entries with another value wherever they have a value; nil where that is no payload of theirs.
    func replacing(
        _ value: DataValue, by other: DataValue, in entries: [Entry]
    ) -> [Entry]? {
        var replaced: [Entry] = []
        for entry in entries {
            guard var record = try? record(of: entry.action),
                record.payload.simple.contains(value)
            else {
                replaced.append(entry)
                continue
            }
            record.payload = record.payload.replacing(value, by: other)
            guard let action = try? action(of: record),
                (try? self.record(of: action)) == record
            else { return nil }
            replaced.append(entry.with(action))
        }
        return replaced
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

    fileprivate func replacing(_ value: DataValue, by other: DataValue) -> DataValue {
        switch self {
        case value: other
        case .list(let values): .list(values.map { $0.replacing(value, by: other) })
        case .object(let fields): .object(fields.mapValues { $0.replacing(value, by: other) })
        default: self
        }
    }
}

extension Entry {
    /// The same entry with another action.
    func with(_ action: any Action) -> Entry {
        Entry(
            version: version, action: action, address: address, parent: parent, origin: origin,
            time: time)
    }
}
