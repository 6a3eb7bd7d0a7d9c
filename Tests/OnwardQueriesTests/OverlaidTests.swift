// SPDX-License-Identifier: MIT

import Foundation
import Onward
import Testing

@testable import OnwardQueries

/// The machine alone: mutations in, what shows and what is sent out.
@Suite struct OverlaidTests {
    private let session = UniqueID(number: 7)

    private func server() -> Overlaid<Server> {
        var server = Overlaid(
            Server(notes: [Note(id: 1, title: "one"), Note(id: 2, title: "two")]))
        server.start(session, sending: Rename.name)
        server.start(session, sending: Delete.name)
        return server
    }

    private func sending(_ server: Overlaid<Server>) -> [Int] {
        server.pending.filter { $0.phase == .sending }.map(\.id)
    }

    private func titles(_ server: Overlaid<Server>) -> [String] { server.shown.notes.map(\.title) }

    @Test func `a mutation shows at once, and stays when it is confirmed`() {
        var server = server()
        server.enqueue(Rename(id: 1, title: "new"), durable: false)
        #expect(titles(server) == ["new", "two"] && server.confirmed.notes[0].title == "one")
        server.confirm(1)
        #expect(titles(server) == ["new", "two"] && server.confirmed == server.shown)
    }

    @Test func `a refused mutation falls out, whatever else is pending`() {
        var server = server()
        server.enqueue(Rename(id: 1, title: "a"), durable: false)
        server.enqueue(Rename(id: 2, title: "b"), durable: false)
        server.enqueue(Rename(id: 1, title: "c"), durable: false)
        server.refuse(1, APIError.refused)
        #expect(titles(server) == ["c", "b"])
        server.refuse(3, APIError.refused)
        #expect(titles(server) == ["one", "b"])
    }

    @Test func `mutations of a key are sent one after another, others at once`() {
        var server = server()
        server.enqueue(Rename(id: 1, title: "a"), durable: false)
        server.enqueue(Rename(id: 1, title: "b"), durable: false)
        server.enqueue(Rename(id: 2, title: "c"), durable: false)
        server.enqueue(Delete(id: 9), durable: false)
        #expect(sending(server) == [1, 3, 4])
        server.confirm(1)
        #expect(sending(server) == [2, 3, 4] && titles(server) == ["b", "c"])
    }

    @Test func `confirmations out of order show what the server will have`() {
        var server = server()
        server.enqueue(Rename(id: 1, title: "a"), durable: false)
        server.enqueue(Delete(id: 1), durable: false)
        server.confirm(2)
        #expect(titles(server) == ["two"])
        server.confirm(1)
        #expect(titles(server) == ["two"] && server.pending.isEmpty)
    }

    @Test func `an answer is written under what is pending`() {
        var server = server()
        server.enqueue(Rename(id: 1, title: "mine"), durable: false)
        server.write { $0.notes[id: 1]?.title = "theirs" }
        #expect(titles(server) == ["mine", "two"])
        server.refuse(1, APIError.refused)
        #expect(titles(server) == ["theirs", "two"])
    }

    @Test func `an answer that is older than a confirmation doesn't take it back`() {
        var server = server()
        server.enqueue(Rename(id: 1, title: "mine"), durable: false)
        server.confirm(1)
        server.write(askedAfter: 0) { $0.notes[id: 1]?.title = "one" }
        #expect(titles(server) == ["mine", "two"])
        server.write(askedAfter: 1) { $0.notes[id: 1]?.title = "theirs" }
        #expect(titles(server) == ["theirs", "two"])
    }

    @Test func `without a network nothing is sent, and then all of it with the same keys`() {
        var server = server()
        server.enqueue(Rename(id: 1, title: "a"), durable: true)
        let key = server.pending[0].key
        server.connect(false)
        server.enqueue(Rename(id: 2, title: "b"), durable: true)
        #expect(sending(server).isEmpty)
        server.connect(true)
        #expect(sending(server) == [1, 2])
        #expect(server.pending[0].key == key && Set(server.pending.map(\.key)).count == 2)
    }

    @Test func `a durable mutation that was refused waits to be resent or dropped`() {
        var server = server()
        server.enqueue(Rename(id: 1, title: ""), durable: true)
        server.enqueue(Rename(id: 2, title: ""), durable: true)
        let key = server.pending[0].key
        server.refuse(1, APIError.refused)
        server.refuse(2, APIError.refused)
        #expect(titles(server) == ["one", "two"] && sending(server).isEmpty)
        #expect(server.pending[0].failure(of: Rename.self) == .refused)
        server.resend(1, Rename(id: 1, title: "better"))
        server.drop(2)
        #expect(titles(server) == ["better", "two"] && sending(server) == [3])
        #expect(server.pending.count == 1 && server.pending[0].key != key)
    }

    @Test func `what could not be stored isn't sent, nor what comes after it`() {
        var server = server()
        server.enqueue(Rename(id: 1, title: "a"), durable: true)
        server.enqueue(Rename(id: 1, title: "b"), durable: true)
        server.block(1)
        #expect(sending(server).isEmpty && titles(server) == ["b", "two"])
        server.start(UniqueID(number: 8), sending: Rename.name)
        #expect(sending(server) == [1])
    }

    @Test func `of changes that merge, the last is sent, and what is being sent stays as it is`() {
        var server = server()
        server.start(session, sending: SetTitle.name)
        for title in ["a", "b", "c"] { server.enqueue(SetTitle(id: 1, title: title)) }
        #expect(server.pending.map { ($0.mutation as? SetTitle)?.title } == ["a", "c"])
        #expect(server.pending.map(\.phase) == [.sending, .waiting])
        #expect(titles(server) == ["c", "two"] && server.pending.map(\.id) == [1, 2])
        // Back to the old title: there is nothing to send.
        server.enqueue(SetTitle(id: 1, title: ""))
        #expect(server.pending.count == 1 && titles(server) == ["a", "two"])
    }

    @Test func `a change that may have reached the server merges with none`() {
        var server = server()
        server.start(session, sending: SetTitle.name)
        server.enqueue(SetTitle(id: 1, title: "a"))
        server.note(attempt: 1)
        server.pause(1, APIError.offline)
        server.enqueue(SetTitle(id: 1, title: "b"))
        #expect(server.pending.count == 2)
        let left = [SetTitle(id: 1, title: "a"), SetTitle(id: 1, title: "b")]
        var next = Overlaid(Server(notes: [Note(id: 1, title: "one")]), pending: left)
        #expect(titles(next) == ["b"])
        next.enqueue(SetTitle(id: 1, title: "c"))
        #expect(next.pending.count == 3 && sending(next).isEmpty)
        next.start(session, sending: SetTitle.name)
        #expect(sending(next) == [1] && next.pending[0].key != nil)
    }

    @Test func `what waits is revised when the data under it changes, what is sent is not`() {
        var server = server()
        server.start(session, sending: SetTitle.name)
        server.enqueue(SetTitle(id: 1, title: "x"))
        server.enqueue(SetTitle(id: 2, title: "y"))
        server.write { $0.notes.removeAll() }
        #expect(server.pending.map { ($0.mutation as? SetTitle)?.isNew } == [false, true])
        #expect(server.shown.notes.map(\.id) == [2])
    }

    @Test func `what was about to be sent, and waits again, is revised as what was never sent`() {
        var server = server()
        server.start(session, sending: SetTitle.name)
        func isNew() -> [Bool?] { server.pending.map { ($0.mutation as? SetTitle)?.isNew } }
        server.enqueue(SetTitle(id: 1, title: "x"))
        server.enqueue(SetTitle(id: 3, title: "y"))
        server.enqueue(SetTitle(id: 2, title: "z"))
        server.block(1)
        server.write { $0.notes = [] }
        #expect(isNew() == [false, true, true])
        server.start(session, sending: SetTitle.name)
        #expect(isNew() == [true, true, true], "what could not be stored, with the next start")
        server.write { $0.notes = [Note(id: 1, title: "one")] }
        #expect(isNew() == [true, true, true] && sending(server) == [1])
        server.connect(false)
        #expect(isNew() == [false, true, true], "what was being stored, without a network")
    }

    @Test func `a pause keeps everything in its place until it ends`() {
        var server = server()
        server.enqueue(Rename(id: 1, title: "a"), durable: true)
        server.enqueue(Rename(id: 1, title: "b"), durable: true)
        server.enqueue(Rename(id: 2, title: "c"), durable: true)
        server.pause(1, APIError.offline)
        #expect(server.isPaused && titles(server) == ["b", "c"])
        #expect(sending(server) == [3], "what is being sent goes on")
        #expect(server.pending[0].failure(of: Rename.self) == .offline)
        server.confirm(3)
        server.pause(2, APIError.offline)
        #expect(sending(server).isEmpty)
        let key = server.pending[0].key
        server.resume()
        #expect(sending(server) == [1] && server.pending[0].key == key && !server.isPaused)
        server.pause(1, APIError.offline)
        server.enqueue(Rename(id: 2, title: "d"), durable: true)
        #expect(sending(server) == [1, 4], "a further mutation ends the pause")
        server.pause(1, APIError.offline)
        server.connect(true)
        #expect(sending(server) == [1, 4], "and so does the network")
        server.pause(4, APIError.offline)
        server.start(session, sending: Rename.name)
        #expect(server.isPaused && sending(server) == [1], "a start doesn't")
    }

    @Test func `too many pending mutations are counted and not taken`() {
        var server = server()
        server.connect(false)
        for _ in 0..<1_001 { server.enqueue(Rename(id: 1, title: "a"), durable: false) }
        server.enqueue(Rename(id: 2, title: "b"), durable: false)
        #expect(server.pending.count == 1_000 && server.overflow == 2)
        #expect(titles(server) == ["a", "two"])
    }

    @Test func `a logout empties the data and the outbox`() {
        var server = server()
        server.enqueue(Rename(id: 1, title: "a"), durable: true)
        server.write { $0.notes.append(Note(id: 3, title: "three")) }
        server.clear()
        #expect(titles(server) == ["one", "two"] && server.pending.isEmpty)
        server.confirm(1)
        #expect(titles(server) == ["one", "two"])
    }

    @Test func `pending mutations are saved with their keys and read again`() throws {
        var server = server()
        server.enqueue(Rename(id: 1, title: "a"), durable: true)
        server.enqueue(Delete(id: 2), durable: true)
        server.refuse(2, APIError.refused)
        var read = try JSONDecoder().decode(
            Overlaid<Server>.self, from: JSONEncoder().encode(server))
        #expect(read.shown == server.shown && titles(read) == ["a", "two"])
        #expect(read.pending.map(\.key) == server.pending.map(\.key) && sending(read) == [1])
        #expect(read.pending[1].failure(of: Delete.self) == .refused)
        read.start(UniqueID(number: 8), sending: Rename.name)
        #expect(sending(read) == [1])
        read.enqueue(Rename(id: 2, title: "b"), durable: true)
        #expect(read.pending[2].id == 3 && Set(read.pending.map(\.key)).count == 3)
    }

    @Test func `a report, which replaces texts, can still be read`() throws {
        var server = server()
        server.enqueue(Rename(id: 1, title: "a"), durable: true)
        server.enqueue(Delete(id: 2), durable: true)
        server.confirm(1)
        let text = String(decoding: try JSONEncoder().encode(server), as: UTF8.self)
        let redacted = text.replacing("\"rename\"", with: "\"xyz\"")
            .replacing("\"delete\"", with: "\"abc\"")
        let read = try JSONDecoder().decode(Overlaid<Server>.self, from: Data(redacted.utf8))
        #expect(read == server)
    }

    @Test func `a saved mutation that the data doesn't list is an error with its name`() throws {
        var server = server()
        server.enqueue(Delete(id: 1), durable: true)
        let text = String(decoding: try JSONEncoder().encode(server), as: UTF8.self)
        let other = text.replacing("\"delete\"", with: "\"erase\"")
            .replacing(#/"code":\d+/#, with: #""code":1"#)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Overlaid<Server>.self, from: Data(other.utf8))
        }
    }
}

/// A title that is being typed: only the last one counts, and the empty one stands for the old one.
private struct SetTitle: Mutation {
    static let name = "setTitle"
    typealias Failure = APIError
    let id: Int, title: String
    var isNew = false

    func apply(to server: inout Server) {
        if isNew {
            server.notes.append(Note(id: id, title: title))
        } else {
            server.notes[id: id]?.title = title
        }
    }
    func merged(with next: SetTitle) -> MutationMerge<SetTitle> {
        id != next.id ? .both : next.title.isEmpty ? .neither : .one(next)
    }
    func revised(over server: Server) -> SetTitle {
        SetTitle(id: id, title: title, isNew: server.notes[id: id] == nil)
    }
}
