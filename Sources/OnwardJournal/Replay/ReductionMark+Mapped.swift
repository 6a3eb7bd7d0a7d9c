// SPDX-License-Identifier: MIT

internal import Foundation
package import Onward

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

extension ReductionMark {
    /// A mark in a new file that is mapped into memory, so a write costs no more than any other, and
    /// what was written survives the end of the program, but not a power failure of the machine.
    ///
    /// - Parameters:
    ///   - path: The file, which is made anew; another mark that has it mapped keeps the old one.
    ///   - room: How many bytes the owner of the mark has behind it.
    /// - Returns: The mark and what is behind it, which stays as long as the mark; nil if the system
    ///   can't.
    package static func mapped(
        at path: String, room: Int
    ) -> (mark: ReductionMark, room: UnsafeMutableRawPointer)? {
        #if canImport(WinSDK) || canImport(WASILibc)
        return nil
        #else
        let size = size + room
        // Not emptied: whoever still writes to an old one would be ended for it.
        _ = unlink(path)
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL, 0o600)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // Written, not only made longer: where there is no room, using memory without blocks behind it
        // would end the program.
        guard write(descriptor, [UInt8](repeating: 0, count: size), size) == size,
            let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
            memory != MAP_FAILED
        else { return nil }
        return (ReductionMark(memory) { munmap($0, size) }, memory + Self.size)
        #endif
    }

    /// Reads what a mapped file says, and what is behind the mark; nil if there is no such file with
    /// so many bytes there.
    package static func read(at path: String, room: Int) -> (mark: Contents, room: [UInt8])? {
        guard let data = FileManager.default.contents(atPath: path), data.count == size + room,
            let mark = contents(of: Array(data.prefix(size)))
        else { return nil }
        return (mark, Array(data.dropFirst(size)))
    }
}

extension [UInt8] {
    /// The number at an offset, the lowest byte first.
    package func number(at offset: Int) -> UInt64 {
        self[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
