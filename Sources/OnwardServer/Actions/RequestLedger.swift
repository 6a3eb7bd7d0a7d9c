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
        let answer: Answer
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

    /// The answer given before; stale if the id was used for something else.
    func answer(to post: Post) -> Answer? {
        guard let entry = entries[post.request] else { return nil }
        return entry.digest == nil || entry.digest == post.hashValue ? entry.answer : .stale
    }

    /// Keeps an answer.
    mutating func record(_ answer: Answer, to post: Post) {
        keep(answer, as: post.request, digest: post.hashValue)
    }

    /// Adopts the id of a post that an earlier run of the program dispatched.
    mutating func restore(_ request: String) {
        keep(.dispatched, as: request, digest: nil)
    }

    private mutating func keep(_ answer: Answer, as request: String, digest: Int?) {
        guard entries[request] == nil else { return }
        // The id is held twice, and the tables need some room.
        let entry = Entry(
            digest: digest, answer: answer, size: 160 + 2 * request.utf8.count + answer.size)
        entries[request] = entry
        order.append(request)
        size += entry.size
        while order.count > limit || (size > byteLimit && order.count > 1) {
            size -= entries.removeValue(forKey: order.removeFirst())?.size ?? 0
        }
    }
}

extension Answer {
    /// About as much as it takes beside its place, in bytes.
    fileprivate var size: Int {
        if case .refused(let rejection) = self { rejection.sentence.utf8.count } else { 0 }
    }
}
#endif
