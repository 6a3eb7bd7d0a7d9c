// SPDX-License-Identifier: MIT

package import Onward
internal import OnwardJournal
internal import OnwardReports

extension StoreList {
    /// Records a store from now on, and lists it.
    ///
    /// - Returns: The name of the store in the list.
    package func attach<State: Codable & Sendable>(
        _ store: Store<State>, as name: String, limit: Int, pages: [InspectorPage] = []
    ) -> String {
        let files = AttachedStore<State>.Files(
            write: { log, codec, write in try log.writeDevToolsFile(codec, to: write) },
            load: { history, file, codec in try history.load(file, codec) },
            shortest: { entries, state, store, progress, fault throws(ReportError) in
                let log = try Replay.shortest(
                    of: entries, from: state, by: store, limit: 200_000, progress: progress,
                    where: fault)
                return ShortestTests<State>.ShortestList(
                    state: log.start, entries: log.entries, isMinimal: log.isMinimal)
            })
        return add(
            AttachedStore(store, limit: limit, files: files, pages: pages, jobs: jobs), as: name)
    }

    /// Records a store whose state isn't `Codable`: shown by reflection, without a log file.
    package func attach<State: Sendable>(
        _ store: Store<State>, as name: String, limit: Int, pages: [InspectorPage] = []
    ) -> String {
        add(AttachedStore(store, limit: limit, files: nil, pages: pages, jobs: jobs), as: name)
    }
}
