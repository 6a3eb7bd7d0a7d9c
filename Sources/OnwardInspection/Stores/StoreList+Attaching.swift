// SPDX-License-Identifier: MIT

package import Onward
internal import OnwardJournal
internal import OnwardReports

extension StoreList {
    /// Records a store from now on, and lists it.
    ///
    /// - Returns: The name of the store in the list.
    package func attach<State: Codable & Sendable>(
        _ store: Store<State>, as name: String, limit: Int
    ) -> String {
        let files = AttachedStore<State>.Files(
            write: { log, codec in try log.devToolsFile(codec) },
            load: { history, file, codec in try history.load(file, codec) },
            shortest: { entries, state, store, fault in
                let log = try Replay.shortest(
                    of: entries, from: state, by: store, limit: 200_000, where: fault)
                return (log.start, log.entries)
            })
        return add(AttachedStore(store, limit: limit, files: files), as: name)
    }

    /// Records a store whose state isn't `Codable`: shown by reflection, without a log file.
    package func attach<State: Sendable>(
        _ store: Store<State>, as name: String, limit: Int
    ) -> String {
        add(AttachedStore(store, limit: limit, files: nil), as: name)
    }
}
