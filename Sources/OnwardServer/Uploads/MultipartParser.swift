// SPDX-License-Identifier: MIT
#if Server

/// Splits a body of the type `multipart/form-data` (RFC 7578) into its parts, as it arrives: a pure
/// machine.
///
/// However the body is cut into pieces, the parts are the same. It keeps no more than a part's head,
/// a boundary and the piece that was read last.
struct MultipartParser: Sendable {
    /// What a piece of the body brings.
    enum Event: Hashable, Sendable {
        /// A part begins.
        case part(MultipartHead)
        /// Some of its content.
        case content([UInt8])
        /// It is complete.
        case end
    }

    private enum Phase {
        /// Before the first boundary, which ought to be at the beginning.
        case preamble
        /// Behind a boundary, of which it isn't known whether it is one.
        case boundary
        case head
        case content
        /// Behind the last boundary.
        case epilogue
    }

    /// The largest head of a part, in bytes.
    static let headLimit = 8 * 1_024
    /// How much may precede the first boundary, and how many spaces may follow one.
    private static let preambleLimit = 1_024
    private static let paddingLimit = 64

    private let delimiter: [UInt8]
    private var phase = Phase.preamble
    private var isInPart = false
    /// What isn't decided yet.
    private var buffer: [UInt8]
    /// How much of it was searched in vain.
    private var searched = 0
    private var skipped = 0

    /// Starts before a body; the boundary is that of its content type.
    init(boundary: String) {
        delimiter = Array("\r\n--\(boundary)".utf8)
        // A boundary belongs to the line break before it, which the first one lacks.
        buffer = [0x0D, 0x0A]
    }

    /// How many bytes it keeps.
    var kept: Int { buffer.count }

    /// Reads the next piece of the body.
    ///
    /// - Throws: ``MultipartError`` if this can't be such a body; then nothing more may be read.
    /// - Complexity: O(bytes).
    mutating func read(_ bytes: some Sequence<UInt8>) throws(MultipartError) -> [Event] {
        if phase == .epilogue { return [] }
        buffer.append(contentsOf: bytes)
        var events: [Event] = []
        while try step(&events) {}
        return events
    }

    /// Notes that the body has ended.
    ///
    /// - Throws: ``MultipartError`` if something is missing.
    func finish() throws(MultipartError) {
        guard phase == .epilogue else { throw .truncated }
    }

    /// Decides about what has been read; false if that takes more.
    private mutating func step(_ events: inout [Event]) throws(MultipartError) -> Bool {
        switch phase {
        case .preamble:
            let start = find(delimiter)
            skipped += start ?? max(buffer.count - delimiter.count + 1, 0)
            guard skipped <= Self.preambleLimit else { throw .noBoundary }
            return pass(start)
        case .content:
            let start = find(delimiter)
            let content = buffer[..<(start ?? max(buffer.count - delimiter.count + 1, 0))]
            if !content.isEmpty { events.append(.content(Array(content))) }
            return pass(start)
        case .boundary: return readBoundary(&events)
        case .head: return try readHead(&events)
        case .epilogue:
            buffer = []
            return false
        }
    }

    /// Goes on behind a boundary; without one, only what may be its beginning is kept.
    private mutating func pass(_ start: Int?) -> Bool {
        guard let start else {
            buffer.removeFirst(max(buffer.count - delimiter.count + 1, 0))
            searched = 0
            return false
        }
        drop(start + delimiter.count)
        phase = .boundary
        return true
    }

    private mutating func readBoundary(_ events: inout [Event]) -> Bool {
        let isLast = buffer.starts(with: [0x2D, 0x2D])
        let padding = buffer.prefix { $0 == 0x20 || $0 == 0x09 }.count
        let rest = buffer.dropFirst(padding)
        let isBoundary =
            isLast || (padding <= Self.paddingLimit && rest.starts(with: [0x0D, 0x0A]))
        if isBoundary {
            if isInPart { events.append(.end) }
            isInPart = !isLast
            drop(isLast ? 2 : padding + 2)
            phase = isLast ? .epilogue : .head
            return true
        }
        let mayBecomeOne =
            buffer == [0x2D] || (padding <= Self.paddingLimit && (rest.isEmpty || rest == [0x0D]))
        if mayBecomeOne { return false }
        // A line that only begins like a boundary is content.
        phase = isInPart ? .content : .preamble
        if isInPart { events.append(.content(delimiter)) } else { skipped += delimiter.count }
        return true
    }

    private mutating func readHead(_ events: inout [Event]) throws(MultipartError) -> Bool {
        if buffer.starts(with: [0x0D, 0x0A]) { throw .noName }
        let end = find([0x0D, 0x0A, 0x0D, 0x0A])
        guard end ?? buffer.count <= Self.headLimit else { throw .headTooLarge }
        guard let end else { return false }
        events.append(.part(try MultipartHead(buffer[..<end])))
        drop(end + 4)
        phase = .content
        return true
    }

    private mutating func drop(_ count: Int) {
        buffer.removeFirst(count)
        searched = 0
    }

    /// Where a text that begins with a line break is in the buffer.
    private mutating func find(_ text: [UInt8]) -> Int? {
        while let start = buffer[searched...].firstIndex(of: 0x0D) {
            searched = start
            guard buffer.count - start >= text.count else { return nil }
            if buffer[start..<(start + text.count)].elementsEqual(text) { return start }
            searched += 1
        }
        searched = buffer.count
        return nil
    }
}
#endif
