// SPDX-License-Identifier: MIT
#if Server

/// Why a file that a visitor sent can't be had.
public struct UploadError: Error, Hashable, CustomStringConvertible {
    /// The kind of obstacle.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String { case unknown, taken, expired, elsewhere, unusable }
        private let kind: Kind

        /// The name of the code.
        public var description: String { kind.rawValue }

        /// No file of that id was received here, or it was so long ago that it is forgotten.
        public static let unknown = Code(kind: .unknown)
        /// It was taken before.
        public static let taken = Code(kind: .taken)
        /// It wasn't taken in time.
        public static let expired = Code(kind: .expired)
        /// Another node received it, or an earlier run of this program.
        public static let elsewhere = Code(kind: .elsewhere)
        /// It can't be read or written, as on a full disk.
        public static let unusable = Code(kind: .unusable)
    }

    /// The kind of obstacle.
    public let code: Code
    /// The name of the file or the folder that it is about.
    public let name: String

    /// A sentence that describes the obstacle.
    public var description: String {
        switch code {
        case .taken: "The file \(quoted) was taken before: a file is there once."
        case .expired: "The file \(quoted) has expired: it wasn't taken in time."
        case .elsewhere:
            """
            The file \(quoted) isn't on this node: another one received it, or this program before it was started \
            again. To fix this, take files on the node that received them, or ask the visitor to send it again.
            """
        case .unusable: "The file \(quoted) can't be read or written."
        default: "No file \(quoted) of that id was received here."
        }
    }

    private var quoted: String { Rejection.quote(name) }
}
#endif
