// SPDX-License-Identifier: MIT

internal import DequeModule
package import Onward
package import OnwardJournal

/// The ids of the last requests that produced entries, and where: part of what a log folds into.
///
/// A request states how far its node had read the log when it was made. So an id that isn't here is
/// certainly new, provided that nothing after that place was forgotten; otherwise nobody can know.
package struct RequestWindow: Sendable {
    /// What is known of a request.
    package enum Finding: Sendable, Hashable {
        /// It has produced no entry.
        case new
        /// Its last entry has this version.
        case done(CommitVersion)
        /// Its entry may be among the forgotten ones.
        case forgotten
    }

    private let limit: Int
    /// Ids of entries up to this version may be forgotten; those of later ones are kept.
    private(set) var floor: CommitVersion = 0
    private var versions: [EntryID: CommitVersion] = [:]
    private var order: Deque<EntryID> = []

    /// The version of the last action in the log; nil if there is none.
    var newest: CommitVersion? { order.last.flatMap { versions[$0] } }

    /// An empty window.
    ///
    /// - Parameter limit: The number of ids to keep.
    package init(limit: Int) {
        self.limit = max(limit, 1)
    }

    package func find(_ id: EntryID, since base: CommitVersion) -> Finding {
        if let version = versions[id] { return .done(version) }
        return base < floor ? .forgotten : .new
    }

    /// Notes a request's entry, and forgets the oldest ones if there are too many.
    package mutating func insert(_ id: EntryID, at version: CommitVersion) {
        if versions.updateValue(version, forKey: id) == nil { order.append(id) }
        while order.count > limit, let oldest = order.popFirst() {
            floor = max(floor, versions.removeValue(forKey: oldest) ?? 0)
        }
    }

    // MARK: Snapshots

    var value: DataValue {
        let ids = order.map { id -> DataValue in
            [.text(id.description), DataValue(versions[id] ?? 0)]
        }
        return ["floor": DataValue(floor), "ids": .list(ids)]
    }

    init?(_ value: DataValue, limit: Int) {
        guard let floor = value["floor"]?.integer(as: CommitVersion.self),
            let ids = value["ids"]?.list
        else { return nil }
        self.init(limit: limit)
        self.floor = floor
        for pair in ids {
            guard let pair = pair.list, pair.count == 2,
                let id = pair[0].text.flatMap({ EntryID($0) }),
                let version = pair[1].integer(as: CommitVersion.self)
            else { return nil }
            insert(id, at: version)
        }
    }
}
