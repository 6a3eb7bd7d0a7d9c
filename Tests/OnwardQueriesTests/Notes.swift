// SPDX-License-Identifier: MIT

import Onward
import OnwardQueries

struct Note: Codable, Equatable, Identifiable, Sendable {
    let id: Int
    var title: String
}

struct Page: Codable, Equatable, Sendable { var notes: [Note] }

enum APIError: Error, Codable, Equatable { case offline, refused, unauthorized, cancelled, late }

struct Notes: Query {
    static let name = "notes"
    typealias Answer = Page
    typealias Failure = APIError
    var page = 1
}

extension QueryTag {
    static let notes: QueryTag = "notes"
    static func note(_ id: Int) -> QueryTag { QueryTag("note", id) }
}

extension Timestamp {
    static func seconds(_ seconds: Double) -> Timestamp {
        Timestamp(nanosecondsSince1970: Int64(seconds * 1e9))
    }
}

struct Server: Equatable, Codable, Sendable, SavableBase {
    var notes: EntityTable<Note> = []
    static let mutations: [any Mutation<Server>.Type] = [
        Rename.self, Delete.self, SimulatedRename.self,
    ]
}

struct Rename: Mutation {
    static let name = "rename"
    typealias Failure = APIError
    let id: Int
    let title: String
    func apply(to server: inout Server) { server.notes[id: id]?.title = title }
    var invalidates: [QueryTag] { [.note(id)] }
    var order: MutationOrder { .serial(by: "note-\(id)") }
}

struct Delete: Mutation {
    static let name = "delete"
    typealias Failure = APIError
    let id: Int
    func apply(to server: inout Server) { server.notes.remove(id: id) }
    var order: MutationOrder { .concurrent }
}
