// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardJournal
import OnwardSQLite
import OnwardSync
import Processes

/// The loop that Replicache publishes as its performance: 16 MB, 100 subscriptions that read 16 KB each, of which a mutation
/// concerns 5; from the mutation until the five have read again.
///
/// Replicache has written nothing by then: it persists later, in the background. So has this client; what it takes until
/// the action is in the file is said beside.
enum Loop {
    private struct Memo: Codable, Equatable, Identifiable, Sendable {
        let id: Int
        var text: String
    }

    private struct Memos: Codable, Equatable, Sendable {
        var memos: EntityTable<Memo> = []

        /// 16 MB in rows of 1 KB.
        static let large = Memos(
            memos: EntityTable(
                (0..<16_384).map { Memo(id: $0, text: String(repeating: "m", count: 1_024)) }
            ) { first, _ in first })
    }

    private enum MemoAction: Action, Codable, Equatable { case write(ids: [Int], text: String) }

    @FeatureBuilder<Memos>
    private static func features() -> [any Part<Memos>] {
        Reduce { (memos: inout Memos, action: MemoAction) in
            switch action {
            case .write(let ids, let text):
                for id in ids { memos.memos.update(id: id) { $0.text = text } }
            }
        }
    }

    static func measure() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "onward-sync-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let journal = try await SQLiteJournal(at: folder.appending(path: "client").path)
        let network = MemoryTransport { throw MemoryTransport.CutOff() }
        let synced = try await SyncedStore(of: Memos.large, over: network, in: journal, features)
        nonisolated(unsafe) var (read, notified) = (0, 0)
        let tokens = (0..<100).map { number in
            let rows = Selection<Memos, [Memo?]>.selecting { memos in
                (0..<16).map { memos.memos[id: number * 16 + $0] }
            }
            return synced.store.subscribe(rows) { _, new in
                notified += 1
                read += new.reduce(0) { $0 + ($1?.text.utf8.count ?? 0) }
            }
        }
        var (shown, kept): ([Double], [Double]) = ([], [])
        for round in 0...100 {
            (read, notified) = (0, 0)
            let ids = (0..<5).map { $0 * 16 + round % 16 }
            let text = String(repeating: "\(round % 10)", count: 1_024)
            let start = Machine.now
            let result = synced.store.dispatch(MemoAction.write(ids: ids, text: text))
            // Where another thread delivers, it calls the subscribers as well.
            await synced.store.log.waitUntilNotified(of: result.version ?? 0)
            let done = Machine.now
            try await synced.store.flush(.written)
            let written = Machine.now
            guard notified == 5, read == 5 * 16 * 1_024 else {
                throw Failure("\(notified) were notified, and read \(read) bytes.")
            }
            // The first one warms up.
            if round > 0 {
                shown.append(Double(done - start) / 1e6)
                kept.append(Double(written - start) / 1e6)
            }
        }
        print(
            """
            16 MB, 100 subscriptions of 16 KB, 5 concerned: median \(rounded(median(shown))) ms until they have read \
            (Replicache publishes 3 ms), \(rounded(median(kept))) ms until the action is in the file as well
            """)
        for token in tokens { token.cancel() }
        await synced.stop()
    }
}
