// SPDX-License-Identifier: MIT
#if Server

/// What a server compresses for browsers that can unpack it.
///
/// The length of a compressed answer reveals how much of it repeats. If an answer contains both a
/// secret and a text that somebody else chose, anyone who can have it requested repeatedly and
/// observe its length can find out the secret, piece by piece. The pages of a visitor's own store
/// may be such answers.
public enum Compression: Sendable, Hashable {
    /// Nothing, such as when a proxy in front of the server compresses.
    case off
    /// The script and the assets.
    case files
    /// Files, and the pages and changes of a store that all visitors share.
    case sharedPages
    /// The same and those of visitors' own stores: if they hold no secret, or no text of strangers.
    case allPages

    /// Whether pages are compressed.
    func packsPages(areShared: Bool) -> Bool {
        self == .allPages || (self == .sharedPages && areShared)
    }
}
#endif
