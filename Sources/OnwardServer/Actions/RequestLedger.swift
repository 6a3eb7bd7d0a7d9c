// SPDX-License-Identifier: MIT
#if Server

import DequeModule

/// The newest posts of a store and their outcomes, so that a repeated one isn't dispatched
/// twice.
///
/// Only a post's digest is kept: 64 bits, seeded per process, which is enough to notice when an id
/// is reused for something else.
struct RequestLedger: Sendable {
    private struct Entry {
        /// Nil for a post that an earlier run of the program answered.
        let digest: Int?
        let outcome: PostOutcome
        /// About as much as it takes, in bytes.
        let size: Int
    }

    /// How many answers are kept, and how many bytes they may take; the oldest are forgotten first.
    let limit, byteLimit: Int
    /// How many bytes the answers take, about.
    private(set) var size = 0
    private var entries: [String: Entry] = [:]
    /// The request ids in their order.
    private var order: Deque<String> = []

    init(limit: Int, byteLimit: Int) {
        self.limit = limit
        self.byteLimit = byteLimit
    }

    /// What became of a post before; stale if the id was used for something else.
    func outcome(of post: Post) -> PostOutcome? {
        guard let entry = entries[post.request] else { return nil }
        return entry.digest == nil || entry.digest == post.hashValue ? entry.outcome : .stale
    }

    /// Keeps what became of a post.
    mutating func record(_ outcome: PostOutcome, of post: Post) {
        keep(outcome, of: post.request, digest: post.hashValue)
    }

    /// Adopts the id of a post that an earlier run of the program dispatched.
    mutating func restore(_ request: String) {
        keep(.dispatched, of: request, digest: nil)
    }

    private mutating func keep(_ outcome: PostOutcome, of request: String, digest: Int?) {
        guard entries[request] == nil else { return }
        // The id is held twice, and the tables need some room.
        let entry = Entry(
            digest: digest, outcome: outcome, size: 160 + 2 * request.utf8.count + outcome.size)
        entries[request] = entry
        order.append(request)
        size += entry.size
        while order.count > limit || (size > byteLimit && order.count > 1) {
            size -= entries.removeValue(forKey: order.removeFirst())?.size ?? 0
        }
    }
}

extension PostOutcome {
    /// About as much as it takes beside its place, in bytes.
    fileprivate var size: Int { rejection?.sentence.utf8.count ?? 0 }
}
#endif
