// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Mustache
import Onward
import OnwardServer
import Testing

private struct Auction: Sendable {
    var highest = 10
    var bidder: String?
}

private struct Bid: Action, Codable {
    let amount: Int
    var bidder: String?
}

private struct Lot: Identifiable, Equatable, Sendable {
    let id: Int
    var highest = 0
}

private struct Saleroom: Sendable { var lots: EntityTable<Lot> }

private struct Name: Hashable, Sendable { var text = "" }

private struct Rename: Action, Codable { let text: String }

private struct View: Equatable { let highest: Int, bidder: String?, twice: Int }

@Suite(.timeLimit(.minutes(5))) struct `An action that a page looks at before it is dispatched` {
    private static func server(
        _ store: Store<Auction>, isOpen: Bool = true
    ) throws -> some ApplicationProtocol {
        var library = MustacheLibrary()
        try library.register("<p>{{bidder}} bids {{highest}}, {{twice}}</p>", named: "view")
        let twice = StateSelector(\Auction.highest) { $0 * 2 }
        let page = try Page<Auction>(
            title: "Auction", templates: library, accepts: [Bid.self],
            beside: VisitorState(Name()) { (name: inout Name, action: Rename) in
                name.text = action.text
            }
        ) { auction, reader, _ in
            [
                Fragment(
                    "view",
                    model: View(
                        highest: auction.highest, bidder: auction.bidder,
                        twice: reader.value(of: twice)))
            ]
        }
        .admitting(Bid.self) { bid, poster, auction in
            guard isOpen else { return .refuse("The auction is over.") }
            guard bid.amount > auction.highest else {
                return .refuse("A bid <below> \(auction.highest + 1) is too low.")
            }
            let name = poster.own(Name.self)?.text ?? ""
            return .dispatch(
                Bid(amount: bid.amount, bidder: name.isEmpty ? poster.visitor?.fileName : name))
        }
        .admitting(Rename.self) { rename, _, _ in
            rename.text.isEmpty ? .refuse("A name has letters.") : .dispatch(rename)
        }
        var options = TestServer().options
        options.frame = .zero
        return PageServer(page, hosting: .shared(store), options: options).application()
    }

    private static func store() -> Store<Auction> {
        Store(Auction()) {
            Reduce { (auction: inout Auction, bid: Bid) in
                (auction.highest, auction.bidder) = (bid.amount, bid.bidder)
            }
        }
    }

    @Test func `is dispatched with who sent it, which no sender can say of another`() async throws {
        let store = Self.store()
        try await Self.server(store).test(.router) { client in
            let (one, other) = try await (client.enter(), client.enter())
            _ = try await client.post(
                form: "type=Bid&request=request-1&amount=11&bidder=Somebody+else", headers: one)
            let first = try #require(store.state.bidder)
            #expect(first.count == 32 && one[.cookie]?.contains(first) == false)
            _ = try await client.post(
                form: "type=Rename&request=request-2&text=Ann", headers: other)
            _ = try await client.post(form: "type=Bid&request=request-3&amount=12", headers: other)
            #expect(store.state.bidder == "Ann")
            #expect(try await client.get(headers: one).text.contains("Ann bids 12, 24"))
        }
    }

    @Test func `is refused with a sentence that its sender alone reads`() async throws {
        let store = Self.store()
        try await Self.server(store).test(.router) { client in
            let (one, other) = try await (client.enter(), client.enter())
            let form = try await client.post(
                form: "type=Bid&request=request-1&amount=10", headers: one)
            #expect(form.status == .conflict)
            #expect(form.text.contains("A bid &lt;below&gt; 11 is too low."))
            #expect(form.text.contains("bids 10"))
            let script = try await client.post(
                json: #"{"type":"Bid","request":"request-2","amount":3}"#, headers: one)
            #expect(script.status == .conflict)
            #expect(script.text.contains("A bid <below> 11 is too low."))
            #expect(try await !client.get(headers: other).text.contains("too low"))
        }
        #expect(store.log.version == 0)
    }

    @Test func `gets the answer that it had when it is sent again`() async throws {
        let store = Self.store()
        try await Self.server(store).test(.router) { client in
            let one = try await client.enter()
            for _ in 0..<2 {
                let answer = try await client.post(
                    form: "type=Bid&request=request-1&amount=11", headers: one)
                #expect(answer.status == .seeOther)
            }
            for _ in 0..<2 {
                let answer = try await client.post(
                    form: "type=Bid&request=request-2&amount=11", headers: one)
                #expect(answer.status == .conflict)
            }
        }
        #expect(store.log.version == 1)
    }

    @Test func `says which row it is for, so that none need reach all rows`() async throws {
        let store = Store(Saleroom(lots: [Lot(id: 1), Lot(id: 2)])) {
            Scope(each: \.lots) {
                Reduce { (lot: inout Lot, bid: Bid) in lot.highest = bid.amount }
            }
        }
        let page = try Page<Saleroom>(title: "", templates: MustacheLibrary(), accepts: [Bid.self])
        {
            _ in []
        }
        .admitting(Bid.self) { bid, poster, _ in
            poster.address?.rowID == nil ? .refuse("Which lot?") : .dispatch(bid)
        }
        let server = PageServer(page, hosting: .shared(store), options: TestServer().options)
        try await server.application().test(.router) { client in
            for (number, address) in ["", "&address=", "&address=lots"].enumerated() {
                let all = try await client.post(
                    form: "type=Bid&request=request-1\(number)&amount=5\(address)")
                #expect(all.status == .conflict && all.text.contains("Which lot?"))
            }
            let one = try await client.post(
                form: "type=Bid&request=request-2&amount=5&address=lots/%232")
            #expect(one.status == .seeOther)
        }
        #expect(store.state.lots.map(\.highest) == [0, 5])
    }

    @Test func `may be one of the visitor's own`() async throws {
        let store = Self.store()
        try await Self.server(store).test(.router) { client in
            let one = try await client.enter()
            let answer = try await client.post(
                form: "type=Rename&request=request-1&text=", headers: one)
            #expect(answer.status == .conflict && answer.text.contains("A name has letters."))
        }
    }

    @Test func `takes nothing that the app doesn't admit`() async throws {
        let store = Self.store()
        try await Self.server(store, isOpen: false).test(.router) { client in
            let one = try await client.enter()
            let answer = try await client.post(
                form: "type=Bid&request=request-1&amount=99", headers: one)
            #expect(answer.status == .conflict && answer.text.contains("The auction is over."))
        }
        #expect(store.log.version == 0)
    }
}
#endif
