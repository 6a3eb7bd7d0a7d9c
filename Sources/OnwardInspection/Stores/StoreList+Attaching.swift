// SPDX-License-Identifier: MIT

package import Onward
internal import OnwardJournal

extension StoreList {
    /// Records a store from now on, and lists it.
    ///
    /// - Returns: The name that it has.
    package func attach<State: Codable & Sendable>(
        _ store: Store<State>, as name: String, limit: Int
    ) -> String {
        let files = AttachedStore<State>.Files(
            write: { log, codec in try log.devToolsFile(codec) },
            load: { history, file, codec in try history.load(file, codec) })
        return add(AttachedStore(store, limit: limit, files: files), as: name)
    }

    /// Records a store whose state is not `Codable`: it is shown by reflection, and its log can't be written.
    package func attach<State: Sendable>(
        _ store: Store<State>, as name: String, limit: Int
    ) -> String {
        add(AttachedStore(store, limit: limit, files: nil), as: name)
    }
}
