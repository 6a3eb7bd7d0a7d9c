// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Onward

/// What a page sends up: an action by name, and what it demands.
///
/// As JSON `{"type": "GameAction/choose", "request": "…", "expects": "round 1 turn 1", "weapon":
/// "rock"}`, as a form the same names. All fields but `type`, `request`, `expects` and `address` are
/// the action's payload.
struct Post: Hashable, Sendable {
    /// The registered name of the action's type, the part before the slash.
    let typeName: String
    /// The enum case, the part behind the slash.
    let caseName: String?
    /// Names this submission: sent again, it is answered again and not dispatched again.
    let request: String
    /// The token the state has to have; nil when nothing is demanded.
    let expects: String?
    /// The one instance that shall handle it; nil for all.
    let address: Address?
    /// The action's own fields.
    let payload: [String: WireValue]

    /// Reads a post.
    ///
    /// - Throws: ``Rejection`` when a field is missing or isn't what it should be.
    init(_ value: WireValue) throws(Rejection) {
        guard case .object(var fields) = value else {
            throw Rejection(.badRequest, "The body isn't an object.")
        }
        guard let type = try Self.text("type", from: &fields) else {
            throw Rejection(.badRequest, "The field \"type\" is missing.")
        }
        guard let request = try Self.text("request", from: &fields), Self.isRequestID(request)
        else {
            throw Rejection(
                .badRequest, "The field \"request\" has to be 8 to 64 letters, digits or hyphens.")
        }
        let name = type.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        self.typeName = String(name[0])
        self.caseName = name.count == 2 ? String(name[1]) : nil
        self.request = request
        self.expects = try Self.text("expects", from: &fields)
        self.address = try Self.text("address", from: &fields).map { text throws(Rejection) in
            guard let address = Address(text) else {
                throw Rejection(.badRequest, "The address \(Rejection.quote(text)) can't be read.")
            }
            return address
        }
        self.payload = fields
    }

    /// The action, of one of the accepted types.
    ///
    /// - Throws: ``Rejection`` when the name isn't accepted or the payload doesn't fit.
    func action(
        accepted: [String: any (Action & Decodable).Type]
    ) throws(Rejection) -> any Action {
        let name = Rejection.quote(caseName.map { "\(typeName)/\($0)" } ?? typeName)
        guard let type = accepted[typeName] else {
            throw Rejection(.badRequest, "This page accepts no action named \(name).")
        }
        do {
            return try ActionDecoder.decode(type, caseName: caseName, payload: payload)
        } catch {
            throw Rejection(.badRequest, "\(name) can't be read: \(Self.explain(error)).")
        }
    }

    private static func text(
        _ name: String, from fields: inout [String: WireValue]
    ) throws(Rejection) -> String? {
        guard let value = fields.removeValue(forKey: name), value != .null else { return nil }
        guard let text = value.text else {
            throw Rejection(.badRequest, "The field \"\(name)\" isn't a text.")
        }
        return text
    }

    private static func isRequestID(_ text: String) -> Bool {
        (8...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// A decoding error in words: our own texts and the program's names, no foreign value.
    private static func explain(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, _):
            "the field \"\(ActionKeyedContainer<AnyKey>.wireName(of: key))\" is missing"
        case DecodingError.typeMismatch(_, let context) where context.codingPath.isEmpty:
            "there is no such case"
        case DecodingError.typeMismatch(_, let context):
            "the field \"\(path(context))\" isn't \(context.debugDescription)"
        case DecodingError.valueNotFound(_, let context), DecodingError.dataCorrupted(let context):
            context.codingPath.isEmpty
                ? "there is no such case" : "the field \"\(path(context))\" has no such value"
        default:
            "its fields don't fit"
        }
    }

    private static func path(_ context: DecodingError.Context) -> String {
        context.codingPath.last.map { ActionKeyedContainer<AnyKey>.wireName(of: $0) } ?? ""
    }
}

/// Any key, to read the wire name of one.
private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
#endif
