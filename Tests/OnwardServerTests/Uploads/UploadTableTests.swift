// SPDX-License-Identifier: MIT
#if Server

import Testing

@testable import OnwardServer
@testable import TestSupport

@Suite struct `Which files are kept` {
    private static let hour = Duration.seconds(3_600)
    private let owner = UploadTable.Owner(visitor: VisitorID(), address: .v4(1))
    private var table = UploadTable(lifetime: hour)
    private var limits = UploadLimits()

    private static func file(_ id: String, size: Int = 0) -> UploadedFile {
        UploadedFile(id: id, name: "a", size: size, sha256: "")
    }

    /// Receives a file.
    private mutating func receive(
        _ id: String, size: Int = 0, of owner: UploadTable.Owner? = nil, at now: Duration = .zero
    ) -> UploadTable.Refusal? {
        let owner = owner ?? self.owner
        if let refusal = table.begin(id, for: owner, within: limits) { return refusal }
        if let refusal = table.grow(id, by: size, within: limits) { return refusal }
        table.finish(Self.file(id, size: size), at: now)
        return nil
    }

    @Test mutating func `a file is there once`() {
        #expect(receive("a", size: 3) == nil)
        #expect(table.take(Self.file("a", size: 3), at: .zero) == nil)
        #expect(table.take(Self.file("a", size: 3), at: .zero) == .taken)
        #expect(table.files == 0 && table.bytes == 0)
    }

    @Test mutating func `a file lives for an hour`() {
        #expect(receive("a", size: 3) == nil)
        #expect(receive("b", at: .seconds(1)) == nil)
        #expect(table.expire(at: Self.hour - .seconds(1)).isEmpty)
        #expect(table.take(Self.file("a", size: 3), at: Self.hour) == .expired)
        #expect(table.expire(at: Self.hour) == ["a"])
        #expect(table.expire(at: Self.hour).isEmpty)
        #expect(table.take(Self.file("a", size: 3), at: Self.hour) == .expired)
        #expect(table.take(Self.file("b"), at: Self.hour) == nil)
    }

    @Test mutating func `a file that is still arriving can't be taken and doesn't expire`() {
        #expect(table.begin("a", for: owner, within: limits) == nil)
        #expect(table.take(Self.file("a"), at: .zero) == .unknown)
        #expect(table.expire(at: .seconds(1_000_000)).isEmpty)
        #expect(table.discard("a") == true)
        #expect(table.discard("a") == false)
        #expect(table.remembered == 0)
    }

    @Test mutating func `a value with another hash is no file`() {
        #expect(receive("a") == nil)
        let other = UploadedFile(id: "a", name: "a", size: 0, sha256: "0")
        #expect(table.take(other, at: .zero) == .unknown)
        #expect(table.take(Self.file("a"), at: .zero) == nil)
    }

    @Test mutating func `a file has its largest size, to the byte`() {
        limits.bytesPerFile = 10
        #expect(table.begin("a", for: owner, within: limits) == nil)
        #expect(table.grow("a", by: 10, within: limits) == nil)
        #expect(table.grow("a", by: 1, within: limits) == .tooLarge)
        #expect(receive("b", size: .max) == .tooLarge)
    }

    @Test mutating func `a visitor has so much room, and gets it back`() {
        (limits.bytesPerVisitor, limits.filesPerVisitor) = (10, 2)
        #expect(receive("a", size: 10) == nil)
        #expect(receive("b", size: 1) == .noRoom)
        #expect(table.discard("b") == true)
        #expect(receive("c") == nil)
        #expect(receive("d") == .noRoom)
        let other = UploadTable.Owner(visitor: VisitorID(), address: .v4(1))
        #expect(receive("e", size: 10, of: other) == nil)
        #expect(table.take(Self.file("a", size: 10), at: .zero) == nil)
        #expect(receive("f", size: 10) == nil)
    }

    @Test mutating func `an address has half of the room, however many visitors it makes up`() {
        limits.files = 10
        var accepted = 0
        for number in 0..<20 {
            let visitor = UploadTable.Owner(visitor: VisitorID(), address: .v4(1))
            if receive("a\(number)", of: visitor) == nil { accepted += 1 }
        }
        #expect(accepted == 5)
        for number in 0..<20 {
            let visitor = UploadTable.Owner(visitor: nil, address: .v4(UInt32(number + 2)))
            if receive("b\(number)", of: visitor) == nil { accepted += 1 }
        }
        #expect(accepted == 10 && table.files == 10)
    }

    @Test mutating func `where visitors aren't distinguished an address counts as one`() {
        limits.filesPerVisitor = 1
        let nobody = UploadTable.Owner(visitor: nil, address: .v4(1))
        #expect(receive("a", of: nobody) == nil)
        #expect(receive("b", of: nobody) == .noRoom)
    }

    @Test mutating func `of files that were taken only the last are remembered`() {
        for number in 0...UploadTable.memory {
            _ = receive("\(number)")
            _ = table.take(Self.file("\(number)"), at: .zero)
        }
        #expect(table.take(Self.file("0"), at: .zero) == .unknown)
        #expect(table.take(Self.file("1"), at: .zero) == .taken)
        #expect(table.remembered <= UploadTable.memory + 66)
    }

    @Test mutating func `whatever happens, the counts are right and little is remembered`() {
        var random = SeededGenerator(seed: 52)
        (limits.bytesPerFile, limits.bytesPerVisitor, limits.bytes) = (50, 200, 500)
        (limits.filesPerVisitor, limits.files) = (8, 20)
        let owners = (0..<4).map { number in
            UploadTable.Owner(
                visitor: number == 0 ? nil : VisitorID(), address: .v4(UInt32(number / 2)))
        }
        var (arriving, waiting) = ([String: Int](), [String: (size: Int, until: Duration)]())
        var now = Duration.zero
        for step in 0..<6_000 {
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                let owner = owners[Int.random(in: 0..<4, using: &random)]
                if table.begin("\(step)", for: owner, within: limits) == nil {
                    arriving["\(step)"] = 0
                }
            case 1:
                guard let id = arriving.keys.sorted().first else { continue }
                let size = Int.random(in: 0...30, using: &random)
                if table.grow(id, by: size, within: limits) == nil {
                    arriving[id, default: 0] += size
                }
            case 2:
                guard let (id, size) = arriving.min(by: { $0.key < $1.key }) else { continue }
                arriving[id] = nil
                table.finish(Self.file(id, size: size), at: now)
                waiting[id] = (size, now + Self.hour)
            case 3:
                guard let (id, entry) = waiting.min(by: { $0.key < $1.key }) else { continue }
                let code = table.take(Self.file(id, size: entry.size), at: now)
                #expect(code == (now < entry.until ? nil : .expired))
                if code == nil { waiting[id] = nil }
            case 4:
                now += .seconds(Int.random(in: 0...600, using: &random))
                let expired = Set(table.expire(at: now))
                #expect(expired == Set(waiting.filter { $0.value.until <= now }.keys))
                for id in expired { waiting[id] = nil }
            default:
                guard let id = arriving.keys.sorted().last else { continue }
                arriving[id] = nil
                #expect(table.discard(id) == true)
            }
            #expect(table.files == arriving.count + waiting.count)
            #expect(
                table.bytes == arriving.values.reduce(0, +)
                    + waiting.values.map(\.size).reduce(0, +))
            #expect(table.files <= 20 && table.bytes <= 500)
            #expect(table.remembered <= UploadTable.memory + 2 * 20 + 64 + 8)
        }
    }
}
#endif
