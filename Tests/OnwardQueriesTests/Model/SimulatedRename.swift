// SPDX-License-Identifier: MIT

import Onward
import OnwardQueries

/// A rename of the simulation, which may be one of many that are typed, and says what it was made over.
struct SimulatedRename: Mutation {
    static let name = "simulatedRename"
    typealias Failure = APIError
    let id: Int
    let title: String
    /// Whether only the last of several that wait counts; one without a title takes the waiting one back.
    var isTyped = false
    /// The title that it replaces, as far as this app knows.
    var over: String?

    func apply(to server: inout Server) { server.notes[id: id]?.title = title }
    var invalidates: [QueryTag] { [.note(id)] }
    var order: MutationOrder { .serial(by: "note-\(id)") }

    func merged(with next: SimulatedRename) -> MutationMerge<SimulatedRename> {
        guard isTyped, next.isTyped, id == next.id else { return .both }
        return next.title.isEmpty ? .neither : .one(next)
    }

    func revised(over server: Server) -> SimulatedRename {
        SimulatedRename(
            id: id, title: title, isTyped: isTyped, over: server.notes[id: id]?.title)
    }
}
