// SPDX-License-Identifier: MIT

package import Onward

// The stamp of an entry lies in the payload of its action, so that all that keeps, sends, shows or erases payloads does so
// with stamps. Its field has a name that no Swift property can have, as those of Redux DevTools files: `@stamp`, beside
// which `@payload` has a payload that is not an object or has a field of one of these names itself. Its numbers are texts,
// as a file may go through a program that knows no integers beyond 2^53.

extension DataValue {
    /// A stamp as a field of a payload.
    package init(_ stamp: EntryStamp) {
        var object: DataValue = [
            "seed": .text(String(stamp.seed, radix: 16)),
            "time": .text("\(stamp.time.nanosecondsSince1970)"),
        ]
        if !stamp.numbers.isEmpty { object["ids"] = .list(stamp.numbers.map { .text("\($0)") }) }
        if let author = stamp.author { object["author"] = .text(author) }
        self = object
    }

    /// The stamp that a field of a payload has; nil where it is none.
    package var stamp: EntryStamp? {
        guard let seed = self["seed"]?.text.flatMap({ UInt64($0, radix: 16) }),
            let time = self["time"]?.text.flatMap({ Int64($0) })
        else { return nil }
        var numbers: [UInt64] = []
        if case .list(let ids)? = self["ids"] {
            numbers = ids.compactMap { $0.text.flatMap { UInt64($0) } }
        }
        return EntryStamp(
            seed: seed, numbers: numbers, time: Timestamp(nanosecondsSince1970: time),
            author: self["author"]?.text)
    }

    /// The payload of an action with its stamp.
    package func stamped(_ stamp: EntryStamp?) -> DataValue {
        guard let stamp else { return self }
        var payload: DataValue = [:]
        if case .object(let fields) = self, fields["@stamp"] == nil, fields["@payload"] == nil {
            payload = self
        } else {
            payload["@payload"] = self
        }
        payload["@stamp"] = DataValue(stamp)
        return payload
    }

    /// The stamp of a payload, and what is left.
    package func unstamped() -> (payload: DataValue, stamp: EntryStamp?) {
        guard case .object(let fields) = self, let stamp = fields["@stamp"]?.stamp else {
            return (self, nil)
        }
        if let payload = fields["@payload"] { return (payload, stamp) }
        var payload = self
        payload["@stamp"] = nil
        return (payload, stamp)
    }
}

extension FlatValue {
    /// Adds a stamp to the payload at a place.
    func add(_ stamp: EntryStamp, at place: Place) {
        guard kind(of: place) == .object, field("@stamp", in: place) == nil,
            field("@payload", in: place) == nil
        else { return set(value(at: place).stamped(stamp), at: place) }
        set(DataValue(stamp), at: append("@stamp", to: place))
    }

    /// Takes the stamp out of the payload at a place; nil where it has none.
    func takeStamp(at place: Place) -> EntryStamp? {
        guard kind(of: place) == .object, let field = field("@stamp", in: place),
            let stamp = value(at: field).stamp
        else { return nil }
        if let inner = self.field("@payload", in: place) {
            set(value(at: inner), at: place)
        } else {
            remove(field)
        }
        return stamp
    }
}
