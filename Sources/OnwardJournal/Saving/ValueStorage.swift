// SPDX-License-Identifier: MIT

/// Where a saved value is kept: a file, user defaults, a key-value store.
///
/// Calls for one value never overlap. They are made by a task, outside every lock, and may block.
public protocol ValueStorage: Sendable {
    /// What was written last; nil where nothing is.
    ///
    /// An error means that something may be there: nothing is written over it.
    func read() throws -> [UInt8]?

    /// Replaces what is there, or makes it: whole, or not at all.
    func write(_ bytes: [UInt8]) throws

    /// Puts what is there out of the way without losing it, since it is broken.
    ///
    /// The default throws: nothing is written over what is broken.
    func setAside() throws
}

extension ValueStorage {
    /// Refuses, so that nothing is written over what is broken.
    public func setAside() throws {
        throw SavingError(.unwritable, "This storage cannot set aside what it holds.")
    }
}

extension ValueStorage where Self == SavingFile {
    /// A file at a path.
    public static func file(_ path: String) -> SavingFile { SavingFile(path) }
}
