// SPDX-License-Identifier: MIT
#if SQLite

import Foundation
import Onward
import OnwardJournal
import OnwardSQLite
import Testing

/// Every byte beside a journal is searched for what was erased from it.
struct ErasedFileTests {
    private struct Guest: Codable, Equatable, Identifiable, Sendable {
        var id: String
        var visits = 0
        var link: String { "https://x.example/" + id }
    }
    private struct Hotel: Codable, Equatable, Sendable {
        var guests: EntityTable<Guest> = []
        var rooms: [String: Int] = [:]
        var keys: [Data] = []
        var links: [String] = []
    }
    private enum HotelAction: Action, Codable {
        case came(String, link: String)
    }
    private struct Visit: Action, Codable {}

    private let folder: Folder
    private let hotel = Feature<Hotel> {
        Reduce { (hotel: inout Hotel, action: HotelAction) in
            guard case .came(let name, let link) = action else { return }
            hotel.guests[id: name] = Guest(id: name)
            hotel.rooms[name] = hotel.rooms.count
            hotel.keys.append(Data(name.utf8))
            hotel.links.append(link)
        }
        Scope(each: \.guests) { Reduce { (guest: inout Guest, _: Visit) in guest.visits += 1 } }
    }

    init() throws { folder = try Folder() }

    private func open(
        _ format: DataFormat, _ retention: Retention
    ) async throws -> Persistence<Hotel> {
        var options = PersistenceOptions<Hotel>()
        options.format = format
        options.retention = retention
        options.recording.snapshotSpacing = 7
        return try await Persistence(
            of: Hotel(), in: SQLiteJournal(at: folder.file()), options: options
        ) { hotel }
    }

    /// All bytes of all files.
    private func bytes() throws -> Data {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .reduce(into: Data()) {
                $0 += try Data(contentsOf: URL(filePath: "\(folder.path)/\($1)"))
            }
    }

    @Test(arguments: DataFormat.allCases, [Retention.all, .compacted])
    func `no byte of any file has the id of a row that was erased`(
        format: DataFormat, retention: Retention
    ) async throws {
        let (name, escaped) = ("ann/#lee@example.com", "ann%2F%23lee%40example.com")
        let app = try await open(format, retention)
        for guest in ["bob", name, "annabel"] {
            let link = guest == name ? escaped : guest
            try await app.dispatch(
                HotelAction.came(guest, link: "https://x.example/\(link)?who=\(link)"))
        }
        for _ in 0..<10 {
            try await app.dispatch(Visit(), to: .row(\.guests, id: name))
            try await app.dispatch(Visit(), to: .row(\.guests, id: "annabel"))
        }
        try await app.shutdown()
        let forms = [
            name, "ann%2F%23lee@example.com", escaped, Data(name.utf8).base64EncodedString(),
            "ann/#lee", "lee@example",
        ].map { Data($0.utf8) }
        #expect(try bytes().range(of: forms[0]) != nil)

        let journal = try await SQLiteJournal(at: folder.file())
        let store = Store(Hotel()) { hotel }
        let report = try await journal.erase(
            .replacing(name, with: "guest 1"), startingWith: Hotel(), by: store,
            JournalCodec(for: store, format: format))
        #expect(report.partial == [])
        #expect(report.differences == [])
        #expect(try await journal.stores(anyOf: [Array("annabel".utf8)]))
        for form in forms { #expect(try bytes().range(of: form) == nil) }
        await journal.close()
        for form in forms { #expect(try bytes().range(of: form) == nil) }

        let again = try await open(format, retention)
        let state = again.store.state
        #expect(state.guests.map(\.id) == ["bob", "guest 1", "annabel"])
        #expect(state.guests.map(\.visits) == [0, 10, 10])
        #expect(state.rooms == ["bob": 0, "guest 1": 1, "annabel": 2])
        #expect(state.keys[1] == Data("guest 1".utf8))
        #expect(state.links[1] == "https://x.example/guest%201?who=guest%201")
        try await again.shutdown()
        for form in forms { #expect(try bytes().range(of: form) == nil) }
    }
}
#endif
