// SPDX-License-Identifier: MIT

/// Where a saved value is kept: a file, user defaults, a key-value store.
///
/// Calls for one value never overlap. They are made by a task, outside every lock, and may block.
public protocol ValueStorage: Sendable {
    /// What a value survives once `write(_:)` has returned; by default only ``Durability/memory``, so that nothing is
    /// promised that the storage hasn't said.
    var durability: Durability { get }

    /// Returns what was written last, byte for byte, or nil if there is nothing: other bytes count
    /// as those of another program.
    ///
    /// Throw an error if something may be there: nothing is written over it.
    func read() throws -> [UInt8]?

    /// Replaces or creates the contents: completely, or not at all.
    func write(_ bytes: [UInt8]) throws

    /// Sets broken contents aside without losing them.
    ///
    /// The default implementation throws, so broken contents are never overwritten.
    func setAside() throws

    /// Keeps contents that another program wrote, before they are overwritten.
    ///
    /// The default implementation throws, so they are never overwritten.
    func keepBeside(_ contents: [UInt8]) throws
}

extension ValueStorage {
    /// Nothing that was said.
    public var durability: Durability { .memory }

    /// Throws, so that nothing another program wrote is overwritten.
    public func keepBeside(_ contents: [UInt8]) throws {
        throw SavingError(
            .unwritable,
            """
            Another program has replaced what was saved, and this storage cannot keep that beside the value. Give \
            the storage a keepBeside(_:), or the Saving a whenReplaced that decides otherwise.
            """)
    }

    /// Throws, so that broken contents are never overwritten.
    public func setAside() throws {
        throw SavingError(.unwritable, "This storage cannot set aside what it holds.")
    }
}

extension ValueStorage where Self == SavingFile {
    /// A file at a path.
    public static func file(_ path: String) -> SavingFile { SavingFile(path) }
}
