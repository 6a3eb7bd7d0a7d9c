// SPDX-License-Identifier: MIT

// What is encoded can be decoded, and is what it was. Some uses of the containers lose something
// without a word in other encoders; here they are refused when they are encoded, with their path:
//
// - An optional that isn't nil, but is encoded as null, as nil is: `.some(nil)`.
// - A container asked for, or a value given, where something of another kind has been encoded.
// - What only a decoder can judge is a doubt: a type that encodes nothing, that gives an optional
//   to a single value container, that gives two fields one name, of which the last one counts, or
//   that continues a field which it has encoded as a whole.
//   The innermost value with a doubt is decoded and compared.
// - In a journal, a redacted value of a type that can't be read from the placeholder.

internal import Onward

extension DataEncoder {
    /// Refuses what would not be read as it is, once a value has encoded itself.
    static func settle<T: Encodable>(
        _ value: T, in flat: FlatValue, at place: FlatValue.Place, _ doubts: Int
    ) throws {
        if let misuse = flat.misuse {
            flat.misuse = nil
            throw misuse
        }
        if flat.isNull(place) {
            if flat.hasChecks, let optional = value as? any OptionalValue, optional.hasValue {
                throw looksLikeNil(value, flat.path(to: place))
            }
        } else if !flat.isBegun(place) {
            flat.becomeObject(place)
            flat.doubts += 1
        }
        if flat.checks == .journal, flat.kind(of: place) == .leaf {
            try checkPlaceholder(value, in: flat, at: place)
        }
        guard flat.doubts != doubts else { return }
        flat.doubts = doubts
        if flat.hasChecks { try check(value, at: flat.path(to: place)) }
    }

    static func looksLikeNil(_ value: some Any, _ path: [any CodingKey]) -> EncodingError {
        .invalidValue(
            value,
            .init(
                codingPath: path,
                debugDescription: """
                    an optional with a value that is encoded as null would be read as nil. Nest no \
                    optionals, or say by an enum what is missing
                    """))
    }

    /// Refuses a redacted value if its type isn't read from the placeholder.
    private static func checkPlaceholder<T: Encodable>(
        _ value: T, in flat: FlatValue, at place: FlatValue.Place
    ) throws {
        guard case .text(redactedPlaceholder) = flat.leaf(at: place), value is any RedactedValue,
            let type = T.self as? any Decodable.Type
        else { return }
        do {
            _ = try DataDecoder(flat, at: place).read(type)
        } catch {
            throw EncodingError.invalidValue(
                value,
                .init(
                    codingPath: flat.path(to: place),
                    debugDescription: """
                        \(T.self) is written as a placeholder, from which it can't be read. Redact a String, \
                        or leave the value out of what is recorded
                        """))
        }
    }

    // MARK: Misuse of containers

    /// Where a container goes: here, or nowhere if something of another kind is here.
    func placeOfContainer(_ kind: FlatValue.Kind) -> FlatValue.Place {
        guard flat.isBegun(place), flat.kind(of: place) != kind else { return place }
        if flat.misuse == nil { flat.misuse = secondUse(kind) }
        return flat.appendLoose("", to: place)
    }

    /// Refuses a single value where something was encoded.
    func expectNothing() throws {
        guard flat.isBegun(place) else { return }
        throw secondUse(.leaf)
    }

    private func secondUse(_ kind: FlatValue.Kind) -> EncodingError {
        let wanted =
            switch kind {
            case .object: "fields are"
            case .list: "elements are"
            case .leaf: "a single value is"
            }
        return .invalidValue(
            self,
            .init(
                codingPath: codingPath,
                debugDescription: """
                    \(wanted) encoded where \(flat.leaf(at: place).kind) was encoded already, \
                    and one of the two would be lost
                    """))
    }

    // MARK: Doubts

    /// Notes that an optional which is nil was given to a single value container: it may be what
    /// another optional holds.
    func noteNil(_ value: some Any) {
        if flat.isNull(place), value is any OptionalValue { flat.doubts += 1 }
    }

    /// Encodes a value again, to find what two fields of one name lose.
    static func check(_ value: some Encodable) throws {
        let flat = FlatValue(revealsRedacted: true, checks: .names)
        try encode(value, into: flat, at: FlatValue.root, depth: 0)
    }

    /// Decodes what a value is encoded as, and refuses the value unless that gives it again.
    ///
    /// A value that can't be compared has to be encoded as before. One that isn't `Decodable` is
    /// never read.
    private static func check<T: Encodable>(_ value: T, at path: [any CodingKey]) throws {
        guard let type = T.self as? any Decodable.Type else { return }
        func refuse(_ reason: String) -> EncodingError {
            .invalidValue(
                value,
                .init(
                    codingPath: path,
                    debugDescription: "\(T.self) would not be read as it is: \(reason)"))
        }
        let form = try form(of: value)
        // JSON has fewer kinds of values, so that one may look like another there.
        let json = try DataFormat.json.value(
            of: DataFormat.json.bytes(of: form),
            limits: DataLimits(bytes: .max, depth: DataLimits.deepest, elements: .max))
        for flat in [FlatValue(form, texts: .text), FlatValue(json, texts: .json)] {
            let copy: any Decodable
            do {
                copy = try DataDecoder(flat).read(type)
            } catch {
                throw refuse(ActionCodec.reason(error))
            }
            if let value = value as? any Equatable, !isEqual(value, copy), isEqual(value, value) {
                throw refuse("another value is read")
            }
            guard let copy = copy as? T else { throw refuse("another type is read") }
            if let difference = form.firstDifference(from: try self.form(of: copy)) {
                throw refuse("\"\(difference.path)\" is lost")
            }
        }
    }

    private static func isEqual<Value: Equatable>(_ value: Value, _ other: Any) -> Bool {
        value == other as? Value
    }

    /// The whole form of a value, secrets included; what is inside it has been checked.
    private static func form(of value: some Encodable) throws -> DataValue {
        let flat = FlatValue(revealsRedacted: true, checks: .none)
        try encode(value, into: flat, at: FlatValue.root, depth: 0)
        return flat.value()
    }
}

/// How much is refused that would not be read as it is.
enum EncodingChecks {
    /// Nothing: the value was checked, or only shown.
    case none
    /// Everything but two fields of one name, which writers find.
    case values
    /// That, and placeholders that can't be read.
    case journal
    /// Everything but placeholders.
    case names
}

/// An optional of any type.
private protocol OptionalValue {
    var hasValue: Bool { get }
}

extension Optional: OptionalValue {
    fileprivate var hasValue: Bool {
        if case .some = self { true } else { false }
    }
}
