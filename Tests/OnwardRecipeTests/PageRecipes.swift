// SPDX-License-Identifier: MIT
#if Server

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Mustache
import NIOCore
import Onward
import OnwardCluster
import OnwardJournal
import OnwardServer
import Testing

// What stands between the comments is shown in Documentation/Cook/Servers.md.

// recipe: page with Mustache, OnwardServer
// tested: a page shows the state, and a form on it sends an action
struct Poll: Equatable, Sendable { var yes = 0, no = 0 }
enum PollAction: Action, Codable { case vote(isYes: Bool) }
struct PollView: Equatable { let yes: Int, all: Int }

// shown as: let poll: Feature<Poll>  // counts the votes
let poll = Feature<Poll> {
    Reduce { (poll, action: PollAction) in
        switch action {
        case .vote(isYes: true): poll.yes += 1
        case .vote(isYes: false): poll.no += 1
        }
    }
}
// to here
let ballot = """
    <p>{{yes}} of {{all}} say yes.</p>
    <form method="post" data-action>{{> onward/form}}
      <input type="hidden" name="type" value="PollAction/vote">
      <button name="isYes" value="true">Yes</button>
      <button name="isYes" value="false">No</button>
    </form>
    """
func pollServer(_ store: Store<Poll>) throws -> PageServer<Poll> {  // try await ….run()
    var templates = MustacheLibrary()
    try templates.register(ballot, named: "poll")
    let page = try Page<Poll>(title: "Poll", templates: templates, accepts: [PollAction.self]) {
        [Fragment("poll", model: PollView(yes: $0.yes, all: $0.yes + $0.no))]
    }
    return PageServer(page, hosting: .shared(store))
}
// end

// recipe: upload with Mustache, OnwardServer
// tested: a table that a visitor sends is read once, and the log has only its name
struct Club: Equatable, Sendable { var members: [String] = [], notice = "" }
enum ClubAction: Action, Codable { case read(table: UploadedFile) }
enum TableAction: Action { case read([String]), failed(name: String) }

let importForm = """
    <form method="post" enctype="multipart/form-data" data-action data-reset>{{> onward/form}}
      <label>Table <input type="file" name="table" accept=".csv" required></label>
      <button name="type" value="ClubAction/read">Read it</button>
    </form>
    <p>{{members}} members. {{notice}}</p>
    """
func club(_ uploads: Uploads) -> Feature<Club> {
    Feature {
        Reduce { (club, action: TableAction) in
            switch action {
            case .read(let members): (club.members, club.notice) = (members, "")
            case .failed(let name): club.notice = "\(name) is no table."
            }
        }
        OnAction { (action: ClubAction, context) in
            guard case .read(let table) = action else { return .none }
            return .run(id: "table", .queue) {
                let bytes = try await uploads.take(table).bytes()
                let text = String(validating: bytes, as: UTF8.self)
                let rows = text?.split(whereSeparator: \.isNewline).map(String.init)
                context.dispatch(
                    rows.map(TableAction.read) ?? .failed(name: table.name))
            } catching: { _ in
                context.dispatch(TableAction.failed(name: table.name))
            }
        }
    }
}
func clubServer(_ store: Store<Club>, _ uploads: Uploads) throws -> PageServer<Club> {
    var templates = MustacheLibrary()
    try templates.register(importForm, named: "club")
    let page = try Page<Club>(title: "Club", templates: templates, accepts: [ClubAction.self]) {
        [Fragment("club", model: ["members": "\($0.members.count)", "notice": $0.notice])]
    }
    var options = ServerOptions()
    options.uploads = uploads
    return PageServer(page, hosting: .shared(store), options: options)
}
// end

struct PageRecipes {
    @Test func `a table that a visitor sends is read once, and the log has only its name`()
        async throws
    {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("onward-recipe-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let uploads = Uploads(in: folder.path)
        let store = Store(Club()) { club(uploads) }
        try await clubServer(store, uploads).application().test(.router) { client in
            for (number, content) in ["Ada\nGrace\n", "\u{FF}"].enumerated() {
                var body = ByteBuffer()
                for (name, value) in [
                    ("type", "ClubAction/read"), ("request", "request-\(number)"),
                ] {
                    body.writeString(
                        "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
                    )
                }
                body.writeString(
                    "--b\r\nContent-Disposition: form-data; name=\"table\"; filename=\"m.csv\"\r\n\r\n"
                )
                if number == 0 { body.writeString(content) } else { body.writeBytes([0xFF]) }
                body.writeString("\r\n--b--\r\n")
                let answer = try await client.execute(
                    uri: "/", method: .post,
                    headers: [.contentType: "multipart/form-data; boundary=b"], body: body)
                #expect(answer.status.code < 400)
                await store.waitUntilIdle()
            }
        }
        #expect(store.state.members == ["Ada", "Grace"])
        #expect(store.state.notice == "m.csv is no table.")
    }

    @Test func `a page shows the state, and a form on it sends an action`() async throws {
        let store = Store(Poll()) { poll }
        try await pollServer(store).application().test(.router) { client in
            let answer = try await client.execute(
                uri: "/", method: .post,
                headers: [.contentType: "application/x-www-form-urlencoded"],
                body: ByteBuffer(
                    string: "type=PollAction/vote&isYes=true&request=first-vote-of-all"))
            #expect(answer.status.code < 400)
            let page = try await client.execute(uri: "/", method: .get)
            #expect(String(buffer: page.body).contains("1 of 1 say yes."))
        }
        #expect(store.state == Poll(yes: 1))
    }

    @Test func `a store lives on when the node that owns it leaves`() async throws {
        // recipe: cluster with OnwardCluster, OnwardJournal
        struct Basket: Codable, Equatable, Sendable { var items: [String] = [] }
        enum BasketAction: Action, Codable { case add(String) }

        // shown as: let basket: Feature<Basket>  // adds the item
        let basket = Feature<Basket> {
            Reduce { (basket, action: BasketAction) in
                if case .add(let item) = action { basket.items.append(item) }
            }
        }
        // to here
        // In production a PostgresJournal, a PostgresNodeTable and an HTTPTransport.
        let (journal, table, network) = (MemoryJournal(), MemoryNodeTable(), LocalTransport())
        func node(_ name: String) -> (ClusterNode, ClusteredStore<Basket>) {
            let node = ClusterNode(NodeID(name), table: table, transport: network)
            network.connect(node)
            let basket = ClusteredStore(of: Basket(), named: "basket", in: journal, on: node) {
                basket
            }
            return (node, basket)
        }
        func add(_ item: String, at store: ClusteredStore<Basket>) async {
            let request = store.newRequest()  // made again with its id, it is done once
            while await store.propose(BasketAction.add(item), request: request) == .unanswered {}
        }
        let (first, here) = node("a")
        let (second, there) = node("b")
        async let running: Void = first.run()
        async let runningToo: Void = second.run()
        await add("tea", at: here)  // answered once this node's store has it
        await first.leave()  // hands its stores over
        await add("milk", at: there)
        // end
        #expect(there.store.state.items == ["tea", "milk"])
        await second.leave()
        _ = await (running, runningToo)
    }
}
#endif
