// SPDX-License-Identifier: MIT
#if All

internal import Foundation
internal import Onward
internal import OnwardJournal

extension JournalEntry {
    /// The payload as it describes itself; nil if it is in no known format.
    var value: DataValue? {
        let limits = DataLimits(bytes: 256 << 20, elements: 50_000_000)
        if payload.isEmpty { return .null }
        if let value = try? DataFormat.cbor.value(of: payload, limits: limits) { return value }
        return try? DataFormat.json.value(of: payload, limits: limits)
    }

    /// A line for people: version, time, name, payload, address, origin.
    var line: String {
        let instance = address == .root ? "" : " @\(address)"
        let what = kind == .action ? name : name.isEmpty ? kind.name : "\(kind.name) \(name)"
        let place = origin.line == 0 ? "" : "  \(origin)"
        let contents = missing.map { "\($0)" } ?? text(limit: 80)
        return "\(version)  \(moment)  \(what)\(instance)  \(contents)\(place)"
    }

    /// The time in UTC, or a dash.
    var moment: String {
        guard let time else { return "-" }
        let date = Date(timeIntervalSince1970: Double(time.nanosecondsSince1970) / 1e9)
        return date.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true))
    }

    /// The payload as JSON, or in hexadecimal digits.
    func text(limit: Int) -> String {
        let text =
            value.map { String(decoding: DataFormat.json.bytes(of: $0), as: UTF8.self) }
            ?? payload.prefix(limit).map { String(format: "%02x", $0) }.joined()
        return text.count > limit ? text.prefix(limit - 1) + "…" : text
    }

    /// All that the entry says, with its bytes as they are, so that it can be imported again.
    var object: DataValue {
        var object: DataValue = [
            "version": .unsigned(version), "id": .text(id.description), "kind": .text(kind.name),
            "epoch": .unsigned(epoch), "name": .text(name), "schema": .integer(Int64(schema)),
            "payload": value ?? .null, "bytes": .text(Data(payload).base64EncodedString()),
            "address": .text(address.description), "file": .text(origin.file),
            "line": .integer(Int64(origin.line)),
        ]
        if let parent { object["parent"] = .unsigned(parent) }
        if let time { object["time"] = .integer(time.nanosecondsSince1970) }
        return object
    }

    /// An entry that was exported; nil for anything else.
    init?(_ object: DataValue) {
        guard let version = object["version"]?.integer(as: CommitVersion.self),
            let id = object["id"]?.text.flatMap({ EntryID($0) }),
            let kind = object["kind"]?.text.flatMap({ name in
                Kind.allCases.first { $0.name == name }
            }),
            let epoch = object["epoch"]?.integer(as: UInt64.self),
            let name = object["name"]?.text, let schema = object["schema"]?.integer(as: Int.self),
            let bytes = object["bytes"]?.text.flatMap({ Data(base64Encoded: $0) }),
            let address = object["address"]?.text.flatMap({ Address($0) }),
            let file = object["file"]?.text, let line = object["line"]?.integer(as: Int.self)
        else { return nil }
        self.init(
            version: version, id: id, kind: kind, epoch: epoch, name: name, schema: schema,
            payload: Array(bytes), address: address,
            parent: object["parent"]?.integer(as: CommitVersion.self),
            origin: ActionOrigin(file: file, line: line),
            time: object["time"]?.integer(as: Int64.self).map(Timestamp.init(nanosecondsSince1970:))
        )
    }
}
#endif
