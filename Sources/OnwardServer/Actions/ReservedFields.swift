// SPDX-License-Identifier: MIT
#if Server

import Mustache
import Onward

/// Finds fields of actions that a page can't fill because the page uses their names itself.
///
/// Only decoding reveals which fields an action's type has. So it is decoded from a probe, which
/// supplies nothing and throws the names that were requested. For an enum, the probe needs the
/// names of its cases: these are looked up in the texts of the templates, where the forms mention
/// them.
enum ReservedFields {
    /// The names that belong to a page.
    static func names(hasRoutes: Bool) -> [String] {
        ["type", "request", "expects", "address"] + (hasRoutes ? ["route", "move"] : [])
    }

    /// The fields of a page's actions that it can't fill, as `Type/case.field`.
    static func all<State>(of page: Page<State>) -> [String] {
        let names = names(hasRoutes: page.routes != nil)
        let texts = texts(in: page.templates.library)
        return page.accepted.sorted { $0.key < $1.key }.flatMap { typeName, type in
            let named = Set(texts.flatMap { cases(of: typeName, in: $0) }).sorted()
            return ([nil] + named.map { $0 }).flatMap { caseName in
                find(names, in: type, caseName: caseName).map {
                    "\(typeName)\(caseName.map { "/\($0)" } ?? "").\($0)"
                }
            }
        }
    }

    /// Finds the names that a type, or one of its cases, has as fields.
    static func find(
        _ names: [String], in type: any Decodable.Type, caseName: String?
    ) -> [String] {
        do {
            _ = try type.init(from: FieldProbe(names: names, caseName: caseName))
        } catch let found as FoundFields {
            return found.names
        } catch {}
        return []
    }

    /// The words after `TypeName/` in a text.
    private static func cases(of typeName: String, in text: String) -> [String] {
        var cases: [String] = []
        var rest = text[...]
        while let range = rest.firstRange(of: "\(typeName)/") {
            rest = rest[range.upperBound...]
            let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            if !name.isEmpty { cases.append(String(name)) }
        }
        return cases
    }

    /// All texts in a page's templates, in a stable order.
    static func texts<State>(of page: Page<State>) -> [String] {
        texts(in: page.templates.library).sorted()
    }

    private static func texts(in value: Any, depth: Int = 0) -> [String] {
        if let text = value as? String { return [text] }
        guard depth < 24 else { return [] }
        return Mirror(reflecting: value).children.flatMap { texts(in: $0.value, depth: depth + 1) }
    }
}

private struct FoundFields: Error {
    let names: [String]

    init<Key: CodingKey>(_ names: [String], of type: Key.Type) {
        self.names = names.filter { type.init(stringValue: $0) != nil }
    }
}

/// A decoder that has nothing except possibly the name of a case.
private struct FieldProbe: Decoder {
    let names: [String]
    let caseName: String?
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let caseName else { throw FoundFields(names, of: type) }
        return KeyedDecodingContainer(CaseProbe<Key>(names: names, caseName: caseName))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw CancellationError() }
    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        throw CancellationError()
    }
}

/// The only case of an enum.
private struct CaseProbe<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let names: [String]
    let caseName: String
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { Key(stringValue: caseName).map { [$0] } ?? [] }

    func contains(_ key: Key) -> Bool { key.stringValue == caseName }
    func decodeNil(forKey key: Key) throws -> Bool { throw CancellationError() }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        throw CancellationError()
    }
    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        throw FoundFields(names, of: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw CancellationError()
    }
    func superDecoder() throws -> any Decoder { throw CancellationError() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw CancellationError() }
}
#endif
