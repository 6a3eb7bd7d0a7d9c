// SPDX-License-Identifier: MIT

internal import Foundation
internal import Onward
internal import OnwardJournal

/// The file in which the engine notes the action that it reduces, and any part of its payload to
/// keep.
///
/// It is mapped into memory, so a write costs no more than any other, and what was written survives
/// the end of the program, but not a power failure of the machine.
final class MarkFile: Sendable {
    let mark: ReductionMark
    /// The payloads that are kept before their action is reduced.
    let payloads: PendingPayloads

    /// Makes the file; nil if the system can't.
    init?(at path: String) {
        guard let (mark, room) = ReductionMark.mapped(at: path, room: PendingPayloads.size) else {
            return nil
        }
        self.mark = mark
        payloads = PendingPayloads(room, in: mark)
    }

    /// What a file says; nil if there is none.
    static func contents(
        of path: String
    ) -> (mark: ReductionMark.Contents, payloads: [PendingPayloads.Item])? {
        guard let data = FileManager.default.contents(atPath: path),
            data.count == ReductionMark.size + PendingPayloads.size,
            let mark = ReductionMark.contents(of: Array(data.prefix(ReductionMark.size)))
        else { return nil }
        return (mark, PendingPayloads.items(of: Array(data.dropFirst(ReductionMark.size))))
    }
}

/// The payloads of the last few actions that were going to be reduced, in a block of memory.
///
/// Invariant behind `@unchecked`: the block is written under the lock of `next`.
final class PendingPayloads: @unchecked Sendable {
    private static let count = 8
    private static let slot = 1_280
    private static let nameLimit = 224
    /// The most bytes of a payload that are kept.
    static let payloadLimit = 1_000
    static let size = count * slot

    private let block: UnsafeMutableRawPointer
    /// What the block lies in, which must stay.
    private let owner: ReductionMark
    private let next = Guarded(UInt64(0))

    init(_ block: UnsafeMutableRawPointer, in owner: ReductionMark) {
        self.block = block
        self.owner = owner
        block.initializeMemory(as: UInt8.self, repeating: 0, count: Self.size)
    }

    /// Notes a payload, in place of the oldest one.
    func note(_ name: String, _ payload: [UInt8]) {
        var bytes: [UInt8] = []
        func put(_ text: [UInt8]) {
            withUnsafeBytes(of: UInt64(text.count).littleEndian) { bytes += $0 }
            bytes += text
        }
        put(Array(name.utf8.prefix(Self.nameLimit)))
        put(payload.count > Self.payloadLimit ? [] : payload)
        next.withValue { next in
            next += 1
            let slot = block + Int(next % UInt64(Self.count)) * Self.slot
            slot.storeBytes(of: 0, as: UInt64.self)
            bytes.withUnsafeBytes { bytes in
                UnsafeMutableRawBufferPointer(start: slot + 8, count: bytes.count).copyMemory(
                    from: bytes)
            }
            slot.storeBytes(of: next.littleEndian, as: UInt64.self)
        }
    }

    /// A payload that was noted.
    struct Item: Sendable, Hashable {
        let number: UInt64
        let name: String
        let payload: [UInt8]
    }

    /// What a block says, the newest first.
    static func items(of bytes: [UInt8]) -> [Item] {
        guard bytes.count == size else { return [] }
        var items: [Item] = []
        for index in 0..<count {
            let slot = Array(bytes[index * self.slot..<(index + 1) * self.slot])
            func number(_ offset: Int) -> UInt64 {
                slot[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
            }
            let (sequence, nameCount) = (number(0), number(8))
            guard sequence > 0, nameCount <= UInt64(nameLimit) else { continue }
            let end = 16 + Int(nameCount)
            let payloadCount = number(end)
            guard payloadCount > 0, payloadCount <= UInt64(payloadLimit) else { continue }
            items.append(
                Item(
                    number: sequence, name: String(decoding: slot[16..<end], as: UTF8.self),
                    payload: Array(slot[(end + 8)..<(end + 8 + Int(payloadCount))])))
        }
        return items.sorted { $0.number > $1.number }
    }
}
