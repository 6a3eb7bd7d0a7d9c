// SPDX-License-Identifier: MIT
#if Server

import DequeModule
import HTTPTypes

/// A post's place among those of its page: the header `Onward-Order`, as `PAGE/NUMBER`.
struct PostNumber: Hashable, Sendable {
    /// Identifies the page, as it was loaded, in its browser.
    let sender: String
    /// Counts what was done on the page.
    let number: Int

    init(sender: String, number: Int) {
        self.sender = sender
        self.number = number
    }

    /// Reads the header.
    ///
    /// - Throws: ``Rejection`` if it is malformed.
    init(_ text: String) throws(Rejection) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, Post.isID(String(parts[0])), let number = Int(parts[1]),
            (0...Int(Int32.max)).contains(number)
        else { throw Rejection(.badRequest, "The header Onward-Order can't be read.") }
        self.init(sender: String(parts[0]), number: number)
    }

    /// The place of the post that follows by so many.
    func advanced(by count: Int) -> PostNumber {
        PostNumber(sender: sender, number: number + count)
    }
}

/// The numbers of the last posts handled for each page, so that a late one changes nothing.
///
/// A page sends one request at a time. One that it gave up waiting for may still arrive, after
/// later ones.
struct PostOrder: Sendable {
    /// How many pages are remembered; those that posted longest ago are forgotten first.
    let limit: Int
    private var newest: [String: Int] = [:]
    /// What was admitted, in that order; of each page only its newest post counts.
    private(set) var admitted: Deque<PostNumber> = []

    init(limit: Int) { self.limit = limit }

    /// Whether a later post of its page was handled, so that this one comes to nothing.
    func isLate(_ post: PostNumber) -> Bool {
        newest[post.sender].map { post.number < $0 } ?? false
    }

    /// Whether a post may be handled: no later one of its page was.
    ///
    /// - Complexity: O(1) amortised.
    mutating func admit(_ post: PostNumber) -> Bool {
        if let known = newest[post.sender], post.number <= known { return false }
        newest[post.sender] = post.number
        admitted.append(post)
        if admitted.count > 2 * limit {
            admitted.removeAll { [newest] in newest[$0.sender] != $0.number }
        }
        while newest.count > limit, let oldest = admitted.popFirst() {
            if newest[oldest.sender] == oldest.number { newest[oldest.sender] = nil }
        }
        return true
    }
}
#endif
