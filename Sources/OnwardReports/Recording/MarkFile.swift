// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal

/// The file in which the engine notes the action that it reduces, and behind that the payloads of
/// the last few actions that were going to be reduced.
///
/// It is mapped into memory, so a write costs no more than any other, and what was written survives
/// the end of the program, but not a power failure of the machine.
///
/// Invariant behind `@unchecked`: the block is written under the lock of `next`.
final class MarkFile: @unchecked Sendable {
    private static let count = 8
    private static let slot = 1_280
    private static let nameLimit = 224
    /// The most bytes of a payload that are kept.
    static let payloadLimit = 1_000

    /// What the engine writes; the block stays as long as it does.
    let mark: ReductionMark
    private let block: UnsafeMutableRawPointer
    private let next = Guarded(UInt64(0))

    /// Makes the file; nil if the system can't.
    init?(at path: String) {
        guard
            let (mark, block) = ReductionMark.mapped(at: path, room: Self.count * Self.slot)
        else { return nil }
        (self.mark, self.block) = (mark, block)
    }

    /// Notes a payload before its action is reduced, in place of the oldest one.
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
    struct Payload: Sendable, Hashable {
        let number: UInt64
        let name: String
        let bytes: [UInt8]
    }

    /// What a file says, the newest payload first; nil if there is none.
    static func contents(
        of path: String
    ) -> (mark: ReductionMark.Contents, payloads: [Payload])? {
        guard let (mark, room) = ReductionMark.read(at: path, room: count * slot) else {
            return nil
        }
        var payloads: [Payload] = []
        for start in stride(from: 0, to: room.count, by: slot) {
            let slot = Array(room[start..<start + slot])
            let (sequence, nameCount) = (slot.number(at: 0), slot.number(at: 8))
            guard sequence > 0, nameCount <= UInt64(nameLimit) else { continue }
            let end = 16 + Int(nameCount)
            let count = slot.number(at: end)
            guard count > 0, count <= UInt64(payloadLimit) else { continue }
            payloads.append(
                Payload(
                    number: sequence, name: String(decoding: slot[16..<end], as: UTF8.self),
                    bytes: Array(slot[(end + 8)..<(end + 8 + Int(count))])))
        }
        return (mark, payloads.sorted { $0.number > $1.number })
    }
}
