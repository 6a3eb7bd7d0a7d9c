// SPDX-License-Identifier: MIT
#if Server

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

struct PageRecipes {
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
