// SPDX-License-Identifier: MIT

/// A place inside an app, as a URL expresses it: the segments of a path and the fields of a query.
///
/// As text it is the path and query of a URL (RFC 3986 § 3.3, § 3.4): `/albums/7?side=b`.
///
/// Any text may be a segment, a name or a value. All characters except letters, digits and `-._~`
/// are percent-encoded (§ 2.1), so the text can be used unchanged in HTML, in a header or after a
/// host. Three segments have another meaning in a URL: an empty one may get lost and turns `//host`
/// into another host, and browsers remove `.` and `..` even if they are encoded (URL Standard
/// § 4.1). Each of these is written with a leading `~`, and so is a segment that consists of such a
/// text after one or more `~`s. Hence the law: whatever is written is read as the same location.
public struct RouteLocation: Hashable, Sendable {
    /// The maximum size of a text that is read, in bytes.
    public static let textLimit = 2_048
    /// The maximum number of segments that is read.
    public static let segmentLimit = 32
    /// The maximum number of fields that is read.
    public static let fieldLimit = 64

    /// The segments of the path; none for `/`.
    public var segments: [String]
    /// The fields of the query in their order.
    public var query: RouteValues

    /// Creates a location from segments and fields.
    public init(_ segments: [String] = [], query: RouteValues = [:]) {
        self.segments = segments
        self.query = query
    }

    /// The locations above this one: those of the shorter paths, beginning with `/`, without query.
    ///
    /// - Complexity: O(segments²).
    public var parents: [RouteLocation] {
        segments.indices.map { RouteLocation(Array(segments.prefix($0))) }
    }
}

extension RouteLocation: LosslessStringConvertible {
    /// The location as the path and query of a URL.
    public var description: String {
        let path = segments.map { "/" + PercentEncoding.encode(Self.guarded($0)) }.joined()
        let fields = query.fields.map { field in
            PercentEncoding.encode(field.name) + "=" + PercentEncoding.encode(field.value)
        }
        return (path.isEmpty ? "/" : path)
            + (fields.isEmpty ? "" : "?" + fields.joined(separator: "&"))
    }

    /// Reads the path and query of a URL.
    ///
    /// A `/` at the end of the path is ignored, anything after a `#` is left out, and a `+` in the
    /// query is a space, as in form fields sent by browsers.
    ///
    /// - Returns: Nil if the text doesn't begin with `/`, exceeds the limits, contains control
    ///   characters, or has a percent-encoding that is broken or isn't UTF-8.
    /// - Complexity: O(length), and O(1) for a text that is too long.
    public init?(_ description: String) {
        let bytes = description.utf8
        guard bytes.count <= Self.textLimit, bytes.first == UInt8(ascii: "/"),
            bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return nil }
        let text = bytes.prefix { $0 != UInt8(ascii: "#") }
        let path = text.prefix { $0 != UInt8(ascii: "?") }
        var parts = path.dropFirst().split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        if parts.last?.isEmpty == true { parts.removeLast() }
        let fields = text.dropFirst(path.count + 1).split(separator: UInt8(ascii: "&"))
        guard parts.count <= Self.segmentLimit, fields.count <= Self.fieldLimit else { return nil }

        segments = []
        query = [:]
        for part in parts {
            guard let segment = PercentEncoding.decode(part) else { return nil }
            segments.append(Self.unguarded(segment))
        }
        for field in fields {
            let left = field.prefix { $0 != UInt8(ascii: "=") }
            let right = field.dropFirst(left.count + 1)
            guard let name = PercentEncoding.decode(left, plusIsSpace: true),
                let value = PercentEncoding.decode(right, plusIsSpace: true)
            else { return nil }
            query.append(value, as: name)
        }
    }

    /// The segment with a `~` before it if a URL has another meaning for it.
    private static func guarded(_ segment: String) -> String {
        needsGuard(segment) ? "~" + segment : segment
    }

    private static func unguarded(_ segment: String) -> String {
        segment.utf8.first == UInt8(ascii: "~") && needsGuard(segment)
            ? String(segment.unicodeScalars.dropFirst()) : segment
    }

    /// Whether the segment is empty, `.` or `..`, or such a text behind `~`s.
    private static func needsGuard(_ segment: String) -> Bool {
        let rest = segment.utf8.drop { $0 == UInt8(ascii: "~") }
        return rest.count <= 2 && rest.allSatisfy { $0 == UInt8(ascii: ".") }
    }
}
