// SPDX-License-Identifier: MIT
#if Server

import Onward
import OnwardJournal

extension Journal {
    /// The requests that the newest entries come from, the newest at the end.
    ///
    /// A page that was waiting for an answer when the program ended sends its request again. To
    /// dispatch it only once, the id is part of the entry: both are stored or neither is.
    func requests() async throws(JournalError) -> [String] {
        let last = try await lastVersion()
        let count: CommitVersion = 1_000
        let newest: [JournalEntry]
        do {
            newest = try await entries(from: last - min(last, count) + 1, limit: Int(count))
        } catch {
            guard error.code == .truncated else { throw error }
            newest = try await entries(from: error.version ?? last + 1, limit: Int(count))
        }
        return newest.compactMap(\.origin.request?.id).filter(Post.isID)
    }
}
#endif
