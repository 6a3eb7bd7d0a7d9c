// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import OnwardJournal

extension DataValue {
    /// The largest number of fields of a form.
    static let fieldLimit = 256

    /// Reads the fields of a form (`application/x-www-form-urlencoded`, WHATWG URL § 5.1).
    ///
    /// A name that occurs more than once, as with several checkboxes, becomes a list.
    ///
    /// - Throws: ``Rejection`` when there are too many, or bytes aren't UTF-8.
    init(form: [UInt8]) throws(Rejection) {
        var fields: [String: [DataValue]] = [:]
        var count = 0
        for pair in form.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = try Self.decodePercent(parts[0])
            let value = try parts.count == 2 ? Self.decodePercent(parts[1]) : ""
            fields[name, default: []].append(.text(value))
            count += 1
            guard count <= Self.fieldLimit else {
                throw Rejection(.badRequest, "The form has more than \(Self.fieldLimit) fields.")
            }
        }
        self = .object(fields.mapValues { $0.count == 1 ? $0[0] : .list($0) })
    }

    /// Decodes a name or value of a form: `+` is a space, `%XX` a byte, a stray `%` itself.
    private static func decodePercent(_ bytes: ArraySlice<UInt8>) throws(Rejection) -> String {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "+") {
                decoded.append(UInt8(ascii: " "))
            } else if byte == UInt8(ascii: "%"), let high = hexDigit(rest.first),
                let low = hexDigit(rest.dropFirst().first)
            {
                decoded.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                decoded.append(byte)
            }
        }
        guard let text = String(validating: decoded, as: UTF8.self) else { throw .badEncoding }
        return text
    }

    private static func hexDigit(_ byte: UInt8?) -> UInt8? {
        guard let byte else { return nil }
        return Character(Unicode.Scalar(byte)).hexDigitValue.flatMap { UInt8(exactly: $0) }
    }
}
#endif
