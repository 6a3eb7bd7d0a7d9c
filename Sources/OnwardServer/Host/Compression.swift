// SPDX-License-Identifier: MIT
#if Server

/// What a server compresses for browsers that can unpack it.
///
/// How short an answer gets says how much in it repeats. Where a secret and a text that somebody else chose stand in
/// one answer, whoever can have it asked for again and again and see its length finds out the secret, piece by
/// piece. The pages of a visitor's own store may be such answers.
public enum Compression: Sendable, Hashable {
    /// Nothing, as when a proxy in front of the server does it.
    case off
    /// The script and the assets.
    case files
    /// These, and the pages and changes of a store that all visitors share.
    case sharedPages
    /// These, and those of visitors' own stores: where they hold no secret, or no text of strangers.
    case allPages

    /// Whether pages are compressed.
    func packsPages(areShared: Bool) -> Bool {
        self == .allPages || (self == .sharedPages && areShared)
    }
}
#endif
