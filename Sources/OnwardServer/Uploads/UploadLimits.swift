// SPDX-License-Identifier: MIT
#if Server

/// How many files visitors may send, and how large they may be.
///
/// A file counts from its first byte until it is taken, has expired, or its post was refused. What
/// goes beyond a limit is refused with a sentence beside the field, see ``FieldMistake``.
public struct UploadLimits: Sendable, Hashable {
    /// The largest file, in bytes.
    public var bytesPerFile = 16 * 1_024 * 1_024
    /// The maximum number of files in a post.
    public var filesPerPost = 16
    /// How many bytes may wait for one visitor's files to be taken.
    public var bytesPerVisitor = 64 * 1_024 * 1_024
    /// How many files of one visitor may wait.
    public var filesPerVisitor = 64
    /// How many bytes may wait altogether; for one address half of them.
    public var bytes = 1_024 * 1_024 * 1_024
    /// How many files may wait altogether; from one address half of them.
    public var files = 4_096

    /// Creates the standard limits.
    public init() {}
}
#endif
