// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Onward
import OnwardJournal

/// What a page sends: an action by name, and its demands on the state.
///
/// As JSON
/// `{"type": "GameAction/choose", "request": "…", "expects": "round 1 turn 1", "weapon": "rock"}`;
/// a form uses the same names. All fields but `type`, `request`, `expects` and `address` are the
/// action's payload.
struct Post: Hashable, Sendable {
    /// The registered name of the action's type, the part before the slash; nil if there is no
    /// action, only a move.
    let typeName: String?
    /// The enum case, the part after the slash.
    let caseName: String?
    /// Identifies this submission: if it is sent again, it is answered but not dispatched again.
    let request: String
    /// The token that the state must have; nil if nothing is demanded.
    let expects: String?
    /// The same for tokens with names: the fields `expects/NAME`.
    let namedExpects: [String: String]
    /// The instance that should handle it; nil for all.
    let address: Address?
    /// Where the sender wants to go, after the action if there is one.
    let move: Move?
    /// The browser tab that sent it; nil for a browser without script.
    let tab: String?
    /// The action's own fields.
    let payload: [String: DataValue]
    /// The files that came with it.
    let files: ReceivedFiles

    /// Reads a post.
    ///
    /// - Parameters:
    ///   - value: The fields.
    ///   - hasRoutes: Whether the page has routes; then `route`, `move` and `tab` are the page's
    ///     own fields (an action may have the tab as well).
    ///   - files: The files that came with it.
    /// - Throws: ``Rejection`` when a field is missing or isn't what it should be.
    init(
        _ value: DataValue, hasRoutes: Bool = false, files: ReceivedFiles = .none
    ) throws(Rejection) {
        self.files = files
        guard case .object(var fields) = value else {
            throw Rejection(.badRequest, "The body isn't an object.")
        }
        self.tab = hasRoutes ? try Self.id("tab", in: fields["tab"]) : nil
        self.move = hasRoutes ? try Self.move(from: &fields) : nil
        let type = try Self.text("type", from: &fields)
        guard type != nil || move != nil else {
            throw Rejection(.badRequest, "The field \"type\" is missing.")
        }
        guard let request = try Self.id("request", in: fields.removeValue(forKey: "request")) else {
            throw .badID("request")
        }
        let name = type?.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        self.typeName = name.map { String($0[0]) }
        self.caseName = name.flatMap { $0.count == 2 ? String($0[1]) : nil }
        self.request = request
        self.expects = try Self.text("expects", from: &fields)
        self.address = try Self.address(from: &fields)
        var named: [String: String] = [:]
        for field in fields.keys where field.hasPrefix("expects/") {
            named[String(field.dropFirst(8))] = try Self.text(field, from: &fields)
        }
        self.namedExpects = named
        self.payload = fields
    }

    /// The version of the page from which it was first sent, see ``SharedLog``: a request may end
    /// with it, as in `…-v7`.
    var since: CommitVersion? {
        guard let last = request.split(separator: "-").last, last.first == "v" else { return nil }
        return CommitVersion(last.dropFirst())
    }

    /// Whether it makes demands on the state.
    var hasDemands: Bool { expects != nil || !namedExpects.isEmpty }

    /// Decodes the action as one of the accepted types.
    ///
    /// `word` words what is wrong with a field.
    ///
    /// - Throws: ``Rejection`` when the name isn't accepted or the payload doesn't fit.
    func action(
        accepted: [String: any (Action & Decodable).Type],
        word: (@Sendable (FieldMistake) -> String?)? = nil
    ) throws(Rejection) -> any Action {
        let name = [typeName, caseName].compactMap(\.self).joined(separator: "/")
        let quoted = Rejection.quote(name)
        guard let type = accepted[typeName ?? ""] else {
            throw .impossible("This page accepts no action named \(quoted).")
        }
        do {
            return try ActionDecoder.decode(
                type, caseName: caseName, payload: payload, files: files)
        } catch {
            let reason = "\(quoted) can't be read: \(Self.explain(error))."
            guard let mistake = FieldMistake(error, in: name) else { throw .impossible(reason) }
            throw Rejection(mistake, saying: word?(mistake) ?? mistake.sentence, reason: reason)
        }
    }

    /// The instance it is for; nil without the field, and for the root, which is nobody's address.
    private static func address(
        from fields: inout [String: DataValue]
    ) throws(Rejection) -> Address? {
        guard let text = try text("address", from: &fields) else { return nil }
        guard let address = Address(text) else {
            throw Rejection(.badRequest, "The address \(Rejection.quote(text)) can't be read.")
        }
        return address == .root ? nil : address
    }

    private static func text(
        _ name: String, from fields: inout [String: DataValue]
    ) throws(Rejection) -> String? {
        guard let value = fields.removeValue(forKey: name), value != .null else { return nil }
        guard let text = value.text else {
            throw Rejection(.badRequest, "The field \"\(name)\" isn't a text.")
        }
        return text
    }

    /// Takes out where the sender wants to go.
    private static func move(from fields: inout [String: DataValue]) throws(Rejection) -> Move? {
        let kind = try text("move", from: &fields) ?? Move.Kind.push.rawValue
        guard let url = try text("route", from: &fields) else { return nil }
        guard let kind = Move.Kind(rawValue: kind) else {
            throw Rejection(.badRequest, "There is no move \(Rejection.quote(kind)).")
        }
        return Move(kind: kind, url: url)
    }

    /// An id that the sender made up for itself or a request; nil if there is none.
    private static func id(_ name: String, in field: DataValue?) throws(Rejection) -> String? {
        guard let field, field != .null else { return nil }
        guard let text = field.text, isID(text) else { throw .badID(name) }
        return text
    }

    /// Whether a text may name a request or a tab.
    static func isID(_ text: String) -> Bool {
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

    /// Describes a decoding error in our own words and the program's names, without foreign values.
    private static func explain(_ error: any Error) -> String {
        switch error {
        case let error as MissingFile:
            """
            the field "\(path(error.codingPath))" isn't a file that came with the post, as from a form with \
            enctype="multipart/form-data"
            """
        case DecodingError.keyNotFound(let key, _)
        where ReservedFields.names(hasRoutes: true).contains(key.stringValue):
            "the field \"\(key.stringValue)\" belongs to the page, so the action needs another name for it"
        case DecodingError.keyNotFound(let key, _):
            "the field \"\(FieldNames.written(key))\" is missing"
        case DecodingError.typeMismatch(_, let context) where context.codingPath.isEmpty:
            "there is no such case"
        case DecodingError.typeMismatch(_, let context):
            "the field \"\(path(context))\" isn't \(context.debugDescription)"
        case DecodingError.valueNotFound(_, let context) where !context.codingPath.isEmpty:
            "the field \"\(path(context))\" is blank"
        case DecodingError.valueNotFound(_, let context), DecodingError.dataCorrupted(let context):
            context.codingPath.isEmpty
                ? "there is no such case" : "the field \"\(path(context))\" has no such value"
        default:
            "its fields don't fit"
        }
    }

    /// The name of a field, and of an element its position in the field.
    private static func path(_ context: DecodingError.Context) -> String {
        path(context.codingPath)
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        let field = keys.lastIndex { !($0 is ElementKey) } ?? 0
        return keys[field...].map { FieldNames.written($0) }.joined(separator: ".")
    }
}
#endif
