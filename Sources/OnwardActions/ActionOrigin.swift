// SPDX-License-Identifier: MIT

/// The place in the source from which an action was dispatched.
public struct ActionOrigin: Sendable, Hashable, CustomStringConvertible {
    /// The file in the form of `#fileID`: module, "/", file name.
    public let file: String
    /// The line in ``file``, from 1.
    public let line: Int

    /// Makes an origin, by default the place of this call.
    public init(file: String = #fileID, line: Int = #line) {
        self.file = file
        self.line = line
    }

    /// The file, a colon and the line.
    public var description: String { "\(file):\(line)" }
}

/// The action of an entry that records an installed state.
public struct Travel: Action {
    /// The version whose state was replaced: the previous one.
    public let replaced: CommitVersion
    /// The earlier version whose state is shown again; nil if it is not known to be of any.
    public let shown: CommitVersion?

    /// Makes a travel, for logs from elsewhere.
    public init(replacing replaced: CommitVersion, showing shown: CommitVersion? = nil) {
        self.replaced = replaced
        self.shown = shown
    }
}

/// The number of a commit: 1 for the first, then 2, 3 … without gaps; 0 before any commit.
public typealias CommitVersion = UInt64
