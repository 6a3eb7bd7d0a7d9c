// SPDX-License-Identifier: MIT
#if Server

/// The newest posts of a store and what became of them, so that a repeated one isn't played twice.
struct RequestLedger: Sendable {
    /// How many answers are kept; the oldest are forgotten first.
    let limit: Int
    private var entries: [String: (post: Post, answer: Answer)] = [:]
    /// The request ids in a ring, the oldest at `oldest` once it is full.
    private var ring: [String] = []
    private var oldest = 0

    init(limit: Int = 1_000) {
        self.limit = limit
    }

    /// The answer given before; stale when the id was used for something else.
    func answer(to post: Post) -> Answer? {
        guard let entry = entries[post.request] else { return nil }
        return entry.post == post ? entry.answer : .stale
    }

    /// Keeps an answer.
    mutating func record(_ answer: Answer, to post: Post) {
        entries[post.request] = (post, answer)
        if ring.count < limit {
            ring.append(post.request)
        } else {
            entries[ring[oldest]] = nil
            ring[oldest] = post.request
            oldest = (oldest + 1) % limit
        }
    }
}
#endif
