// SPDX-License-Identifier: MIT

/// A block of memory that says which action is being reduced, for what is read after the program has died.
///
/// Its owner maps it to a file. The engine writes before and after the reducers of each commit that observers read,
/// under its lock: the version that comes next, the type of the action and where it was dispatched. Nothing is
/// allocated, and nothing of the app is called.
///
/// Invariant behind `@unchecked`: the block is written by the engine under its lock; others read it when no engine
/// has it.
package final class ReductionMark: @unchecked Sendable {
    /// The bytes of a block.
    package static let size = 512
    /// The most bytes of a text in a block.
    private static let longest = 224

    private let block: UnsafeMutableRawPointer
    private let release: @Sendable (UnsafeMutableRawPointer) -> Void

    /// Takes a block of ``size`` bytes, which is released with the mark.
    package init(
        _ block: UnsafeMutableRawPointer,
        release: @escaping @Sendable (UnsafeMutableRawPointer) -> Void
    ) {
        self.block = block
        self.release = release
        block.initializeMemory(as: UInt8.self, repeating: 0, count: Self.size)
    }

    deinit { release(block) }

    // The layout: whether it is being reduced, the version, the line, the length and the bytes of both texts.
    private static let version = 8
    private static let line = 16
    private static let name = 24
    private static let file = 32 + longest

    /// Notes what is going to be reduced.
    func begin(_ version: CommitVersion, _ name: [UInt8], _ origin: borrowing ActionOrigin) {
        block.storeBytes(of: version, toByteOffset: Self.version, as: UInt64.self)
        block.storeBytes(of: Int64(origin.line), toByteOffset: Self.line, as: Int64.self)
        name.withUnsafeBytes { write($0, at: Self.name) }
        // A literal, as `#fileID` is: contiguous, so nothing is copied.
        _ = origin.file.utf8.withContiguousStorageIfAvailable {
            write(UnsafeRawBufferPointer($0), at: Self.file)
        }
        block.storeBytes(of: 1, as: UInt64.self)
    }

    /// Notes an entry of a log that is going to be run; of that, the version is enough.
    package func begin(_ version: CommitVersion) {
        block.storeBytes(of: version, toByteOffset: Self.version, as: UInt64.self)
        block.storeBytes(of: 1, as: UInt64.self)
    }

    /// Notes that the reducers have returned, and which version is the newest now.
    package func end(_ version: CommitVersion) {
        block.storeBytes(of: 0, as: UInt64.self)
        block.storeBytes(of: version, toByteOffset: Self.version, as: UInt64.self)
    }

    private func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        let count = min(bytes.count, Self.longest)
        block.storeBytes(of: UInt64(count), toByteOffset: offset, as: UInt64.self)
        guard count > 0, let start = bytes.baseAddress else { return }
        (block + offset + 8).copyMemory(from: start, byteCount: count)
    }

    /// What a block says.
    package struct Contents: Sendable, Hashable {
        /// The version of the newest commit.
        package let version: CommitVersion
        /// The action that was being reduced after it; nil where none was.
        package let reduced: Action?

        /// An action that was being reduced.
        package struct Action: Sendable, Hashable {
            /// The name of its type.
            package let name: String
            package let origin: ActionOrigin
        }
    }

    /// Reads a block; nil for anything else.
    package static func contents(of bytes: [UInt8]) -> Contents? {
        guard bytes.count == size else { return nil }
        func number(_ offset: Int) -> UInt64 {
            bytes[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        func text(_ offset: Int) -> String? {
            let count = number(offset)
            guard count <= UInt64(longest) else { return nil }
            return String(decoding: bytes[offset + 8..<offset + 8 + Int(count)], as: UTF8.self)
        }
        let newest = number(version)
        switch number(0) {
        case 0: return Contents(version: newest, reduced: nil)
        case 1:
            guard newest > 0, let name = text(name), let file = text(file) else { return nil }
            let line = Int(truncatingIfNeeded: number(line))
            let action = Contents.Action(name: name, origin: ActionOrigin(file: file, line: line))
            return Contents(version: newest - 1, reduced: action)
        default: return nil
        }
    }
}

extension Engine {
    func mark(_ mark: ReductionMark?) {
        // Released outside the lock, as its owner's closure may do anything.
        let old = withLockUnlessReducing { locked in
            let old = locked.state.reductionMark
            locked.state.reductionMark = mark
            mark?.end(locked.state.version)
            return old
        }
        withExtendedLifetime(old) {}
    }
}
