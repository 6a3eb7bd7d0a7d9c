// SPDX-License-Identifier: MIT
#if Server

import Onward
import OnwardJournal

extension Origin {
    /// What is given as the file of an action that came with a request, so that its entry says so.
    static func file(ofRequest id: String) -> String { requestPrefix + id }

    /// The request that an action came with.
    var request: String? {
        guard file.hasPrefix(Self.requestPrefix) else { return nil }
        let id = String(file.dropFirst(Self.requestPrefix.count))
        return Post.isID(id) ? id : nil
    }

    private static var requestPrefix: String { "request " }
}

extension Journal {
    /// The requests that the newest entries come from, the newest at the end.
    ///
    /// A page that was waiting for an answer when the program ended sends its request again. So that it is dispatched
    /// once, the id is part of the entry: both are stored or neither.
    func requests() async throws(JournalError) -> [String] {
        let last = try await lastVersion()
        let count: Version = 1_000
        let newest: [JournalEntry]
        do {
            newest = try await entries(from: last - min(last, count) + 1, limit: Int(count))
        } catch {
            guard error.code == .truncated else { throw error }
            newest = try await entries(from: error.version ?? last + 1, limit: Int(count))
        }
        return newest.compactMap(\.origin.request)
    }
}
#endif
