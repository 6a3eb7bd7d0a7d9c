// SPDX-License-Identifier: MIT

package import Onward

// The stamp of an entry lies in the payload of its action, so that all that keeps, sends, shows or erases payloads does so
// with stamps. Its field has a name that no Swift property can have, as those of Redux DevTools files: `@stamp`, beside
// which `@payload` has a payload that is not an object or has a field of one of these names itself.

extension DataValue {
    /// A stamp as a field of a payload.
    package init(_ stamp: EntryStamp) {
        var object: DataValue = [
            "seed": DataValue(stamp.seed), "time": .integer(stamp.time.nanosecondsSince1970),
        ]
        if !stamp.numbers.isEmpty { object["ids"] = .list(stamp.numbers.map { DataValue($0) }) }
        if let author = stamp.author { object["author"] = .text(author) }
        self = object
    }

    /// The stamp that a field of a payload has; nil where it is none.
    package var stamp: EntryStamp? {
        guard let seed = self["seed"]?.integer(as: UInt64.self),
            let time = self["time"]?.integer(as: Int64.self)
        else { return nil }
        var numbers: [UInt64] = []
        if case .list(let ids)? = self["ids"] {
            numbers = ids.compactMap { $0.integer(as: UInt64.self) }
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
