// SPDX-License-Identifier: MIT
#if All

internal import OnwardJournal

/// A statement and its parameters, in PostgreSQL's binary format.
struct Statement: Sendable {
    let sql: String
    let parameters: [Parameter]

    init(_ sql: String, _ parameters: [Parameter] = []) {
        self.sql = sql
        self.parameters = parameters
    }
}

/// A value that a statement is given.
struct Parameter: Sendable, Equatable {
    /// The number of its type, fixed in PostgreSQL.
    let type: UInt32
    /// nil for null.
    let bytes: [UInt8]?

    static func number(_ number: Int64?) -> Parameter {
        Parameter(type: 20, bytes: number.map(Self.bytes))
    }

    static func version(_ version: UInt64) -> Parameter { number(Int64(bitPattern: version)) }

    static func text(_ text: String) -> Parameter { Parameter(type: 25, bytes: Array(text.utf8)) }

    static func bytes(_ bytes: [UInt8]) -> Parameter { Parameter(type: 17, bytes: bytes) }

    static func id(_ id: EntryID) -> Parameter { Parameter(type: 2_950, bytes: bytes(of: id)) }

    static func numbers(_ numbers: [Int64?]) -> Parameter {
        array(numbers.map { $0.map(Self.bytes) }, of: 20, type: 1_016)
    }

    static func texts(_ texts: [String]) -> Parameter {
        array(texts.map { Array($0.utf8) }, of: 25, type: 1_009)
    }

    static func payloads(_ payloads: [[UInt8]]) -> Parameter {
        array(payloads, of: 17, type: 1_001)
    }

    static func ids(_ ids: [EntryID]) -> Parameter {
        array(ids.map(bytes(of:)), of: 2_950, type: 2_951)
    }

    /// An array as PostgreSQL sends it: dimensions, whether there are nulls, the type, how many from where on, then
    /// each element behind its length.
    private static func array(_ elements: [[UInt8]?], of element: UInt32, type: UInt32) -> Parameter
    {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20 + elements.reduce(0) { $0 + 4 + ($1?.count ?? 0) })
        add(1, to: &bytes)
        add(elements.contains { $0 == nil } ? 1 : 0, to: &bytes)
        add(element, to: &bytes)
        add(UInt32(elements.count), to: &bytes)
        add(1, to: &bytes)
        for element in elements {
            add(element.map { UInt32($0.count) } ?? .max, to: &bytes)
            bytes += element ?? []
        }
        return Parameter(type: type, bytes: bytes)
    }

    private static func add(_ word: UInt32, to bytes: inout [UInt8]) {
        for shift in [24, 16, 8, 0] as [UInt32] {
            bytes.append(UInt8(truncatingIfNeeded: word >> shift))
        }
    }

    private static func bytes(_ number: Int64) -> [UInt8] { bytes(UInt64(bitPattern: number)) }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }
    }

    private static func bytes(of id: EntryID) -> [UInt8] { bytes(id.high) + bytes(id.low) }
}

/// What a statement has returned: a copy of its fields, in PostgreSQL's binary format.
struct PostgresRows: Sendable {
    /// How many rows the statement has added, changed or returned.
    var affected = 0
    var columns = 0
    private var bytes: [UInt8] = []
    /// Where each field lies, row by row; nil for null.
    private var fields: [Range<Int>?] = []

    mutating func add(_ field: some Collection<UInt8>) {
        fields.append(bytes.count..<bytes.count + field.count)
        bytes += field
    }

    mutating func addNull() { fields.append(nil) }

    var count: Int { columns == 0 ? 0 : fields.count / columns }

    func isNull(_ row: Int, _ column: Int) -> Bool { fields[row * columns + column] == nil }

    func bytes(_ row: Int, _ column: Int) -> [UInt8] { Array(field(row, column)) }

    func text(_ row: Int, _ column: Int) -> String {
        String(decoding: field(row, column), as: UTF8.self)
    }

    /// A number of any size.
    func number(_ row: Int, _ column: Int) -> Int64 {
        let field = field(row, column)
        var word = field.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        // A negative one that is shorter has its sign in its first bit.
        if field.count < 8, let first = field.first, first >= 0x80 {
            word |= UInt64.max << UInt64(8 * field.count)
        }
        return Int64(bitPattern: word)
    }

    func optionalNumber(_ row: Int, _ column: Int) -> Int64? {
        isNull(row, column) ? nil : number(row, column)
    }

    func version(_ row: Int, _ column: Int) -> UInt64 { UInt64(bitPattern: number(row, column)) }

    func id(_ row: Int, _ column: Int) -> EntryID? {
        let field = field(row, column)
        guard field.count == 16 else { return nil }
        let word = { (part: ArraySlice<UInt8>) in part.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        }
        return EntryID(high: word(field.prefix(8)), low: word(field.suffix(8)))
    }

    private func field(_ row: Int, _ column: Int) -> ArraySlice<UInt8> {
        fields[row * columns + column].map { bytes[$0] } ?? []
    }
}
#endif
