// SPDX-License-Identifier: MIT
#if Server

/// How much is remembered of a store's posts, so that a repeated one isn't dispatched again.
///
/// A page whose answer is lost asks again for about a minute. What others send in the meantime must
/// not displace it: so a store that all visitors share remembers more than a visitor's own, of
/// which there are many.
struct PostMemory: Sendable {
    /// How many answers are kept, and how many bytes they may take.
    let answers, bytes: Int
    /// The number of pages whose last post is remembered.
    let pages: Int

    /// For the store of one visitor.
    static let own = PostMemory(answers: 1_000, bytes: 256 << 10, pages: 1_000)
    /// For a store that all visitors share.
    static let shared = PostMemory(answers: 65_536, bytes: 16 << 20, pages: 16_384)
}
#endif
