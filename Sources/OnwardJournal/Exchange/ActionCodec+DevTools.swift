// SPDX-License-Identifier: MIT

package import Onward

// In a Redux DevTools file an action is an object with a `type` and its payload beside it. What
// other programs have no field for has a name that no Swift property can have: `@address` for the
// instance, `@stamp` for what came with it, `@payload` for a payload that is not an object or has a field of one of these names itself.

extension ActionCodec {
    /// The object of an action.
    ///
    /// - Throws: ``JournalError/Code/invalid`` for an action that cannot be encoded.
    func object(
        of action: any Action, to address: Address, stamp: EntryStamp? = nil
    ) throws(JournalError) -> DataValue {
        let record = try record(of: action)
        var object: DataValue = [:]
        if case .object(let fields) = record.payload,
            !["type", "@address", "@payload", "@stamp"].contains(where: { fields[$0] != nil })
        {
            object = record.payload
        } else {
            object["@payload"] = record.payload
        }
        object["type"] = .text(record.name)
        if let stamp { object["@stamp"] = DataValue(stamp) }
        if address != .root { object["@address"] = .text(address.description) }
        return object
    }

    /// The action of an object.
    package func action(
        of object: DataValue, _ place: String
    ) throws(DevToolsError) -> (action: any Action, address: Address, stamp: EntryStamp?) {
        var payload = object
        let type = object["type"]?.text ?? ""
        payload["type"] = nil
        var address = Address.root
        if let text = payload["@address"] {
            guard let named = text.text.flatMap(Address.init) else {
                throw DevToolsError(.invalid, "`\(place).@address` is no address.")
            }
            address = named
            payload["@address"] = nil
        }
        let stamp = payload["@stamp"]?.stamp
        if stamp != nil { payload["@stamp"] = nil }
        if let special = payload["@payload"] { payload = special }
        let (name, caseName) = Self.parts(of: type)
        do {
            let record = ActionRecord(
                type: name, caseName: caseName, schema: schema(of: name), payload: payload)
            return (try action(of: record), address, stamp)
        } catch {
            throw DevToolsError(.unknownAction, "`\(place)`: \(error)")
        }
    }
}
