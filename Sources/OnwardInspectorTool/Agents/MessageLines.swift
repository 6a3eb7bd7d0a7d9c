// SPDX-License-Identifier: MIT
#if All

/// Splits bytes into lines; a line that is too long is dropped, and reported once it has ended.
struct MessageLines: Sendable {
    /// A line without its end, or a notice that one was dropped.
    enum Line: Sendable, Hashable {
        case line([UInt8])
        case tooLong
    }

    private let limit: Int
    private var rest: [UInt8] = []
    private var isTooLong = false

    init(limit: Int) { self.limit = limit }

    /// The lines that end in the next piece, without empty ones.
    mutating func take(_ piece: some Sequence<UInt8>) -> [Line] {
        var lines: [Line] = []
        for byte in piece {
            if byte == UInt8(ascii: "\n") {
                lines += end()
            } else if rest.count < limit {
                rest.append(byte)
            } else {
                isTooLong = true
            }
        }
        return lines
    }

    /// What remains without a line end.
    mutating func end() -> [Line] {
        defer { (rest, isTooLong) = ([], false) }
        if isTooLong { return [.tooLong] }
        return rest.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) ? [] : [.line(rest)]
    }
}
#endif
