// SPDX-License-Identifier: MIT

/// Two fields of an action that would have the same name in a log and on the wire of a page.
///
/// A type reveals its fields while it is decoded. So it is decoded from a probe that gives nothing,
/// an enum once for each case. The probe doesn't see what the payloads consist of.
package struct FieldClash: Sendable, Hashable {
    /// The action's name; for an enum followed by "/" and the case.
    package let action: String
    /// The name.
    package let field: String

    /// The clashes in a type of actions, in the order of its cases.
    ///
    /// - Complexity: O(cases + fields).
    package static func all(in type: any (Action & Decodable).Type) -> [FieldClash] {
        var clashes: [FieldClash] = []
        var number = 0
        let probe = FieldProbe()
        repeat {
            probe.caseNumber = number
            _ = try? type.init(from: probe)
            if let field = probe.clash {
                let caseName = probe.caseName.map { "/\($0)" } ?? ""
                clashes.append(FieldClash(action: type.actionName + caseName, field: field))
            }
            probe.clash = nil
            number += 1
        } while number < probe.cases
        return clashes
    }
}

/// A decoder that gives nothing but the name of a case; only the decoding thread knows it.
private final class FieldProbe: Decoder {
    /// The case that is asked for.
    var caseNumber = 0
    /// The number of cases and the name of that one, if the type asked for a case.
    var cases = 0
    var caseName: String?
    /// The name that two fields would have.
    var clash: String?
    /// How many cases the types of keys have; kept because reflection is slow.
    private var counts: [ObjectIdentifier: Int] = [:]

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func caseCount<Key: CodingKey>(of type: Key.Type) -> Int {
        let id = ObjectIdentifier(type)
        if let count = counts[id] { return count }
        let count = enumCaseCount(of: type)
        counts[id] = count
        return count
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        if caseNumber == 0 { clash = FieldNames.clash(in: type) }
        return KeyedDecodingContainer(CaseProbe<Key>(probe: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NothingThere() }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw NothingThere() }
}

private struct NothingThere: Error {}

/// The keys of an object: one case of an enum, or the fields of anything else, all missing.
private struct CaseProbe<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let probe: FieldProbe
    var codingPath: [any CodingKey] { [] }

    var allKeys: [Key] {
        let cases = probe.caseCount(of: Key.self)
        guard probe.caseNumber < cases,
            let key = unsafeBitCast(UInt8(probe.caseNumber), to: Key?.self)
        else { return [] }
        (probe.cases, probe.caseName) = (cases, key.stringValue)
        return [key]
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        if probe.caseName == key.stringValue { probe.clash = FieldNames.clash(in: type) }
        throw NothingThere()
    }

    func contains(_ key: Key) -> Bool { false }
    func decodeNil(forKey key: Key) throws -> Bool { throw NothingThere() }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { throw NothingThere() }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw NothingThere()
    }
    func superDecoder() throws -> any Decoder { throw NothingThere() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw NothingThere() }
}

/// The number of cases of compiler-made keys: an enum without payloads, numbered from 0.
///
/// Zero for other types and for enums of more than 255 cases. The enum must have a case, as the
/// keys do whose names the compiler's code asks for.
///
/// Invariant: an enum without payloads numbers its cases from 0, in one byte if there are at most
/// 255, and its optional has the next number for nil. 0 is a value of every one-byte enum, one with
/// a payload if there is such a case; so reflecting it shows whether all numbers up to that of nil
/// are values.
private func enumCaseCount<Key: CodingKey>(of type: Key.Type) -> Int {
    guard MemoryLayout<Key>.size <= 1, MemoryLayout<Key?>.size == 1,
        let first = unsafeBitCast(UInt8(0), to: Key?.self)
    else { return 0 }
    let mirror = Mirror(reflecting: first)
    guard mirror.displayStyle == .enum, mirror.children.isEmpty else { return 0 }
    return Int(unsafeBitCast(Key?.none, to: UInt8.self))
}

/// The keys of a type that the compiler made; none for other types.
func enumKeys<Key: CodingKey>(of type: Key.Type) -> [Key] {
    (0..<enumCaseCount(of: type)).compactMap { unsafeBitCast(UInt8($0), to: Key?.self) }
}
