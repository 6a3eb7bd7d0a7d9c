// SPDX-License-Identifier: MIT

import InspectedShop
import Onward
import OnwardJournal
import Testing

@testable import OnwardInspection

/// What programs are answered; a change of it needs another number in the path.
struct InspectorInterfaceTests {
    private let store = makeShop()
    private let stores = StoreList()
    private var interface: InspectorInterface { InspectorInterface(stores: stores) }

    init() {
        _ = stores.attach(store, as: "shop", limit: 100)
        store.dispatch(CartAction.add(id: 1, name: "Pear", price: 3))
        store.dispatch(CartAction.add(id: 2, name: "Fig", price: 4))
        store.dispatch(CartAction.clear)
    }

    private func get(_ path: String) async throws -> (status: Int, value: DataValue) {
        let answer = await interface.answerHere(InspectorRequest(.get, path))
        return (answer.status, try DataFormat.json.value(of: answer.bytes))
    }

    private func post(_ path: String, _ body: String) async throws -> (
        status: Int, value: DataValue
    ) {
        let answer = await interface.answerHere(
            InspectorRequest(.post, path, body: Array(body.utf8)))
        return (answer.status, try DataFormat.json.value(of: answer.bytes))
    }

    @Test func `the stores are listed with what their logs say of themselves`() async throws {
        let answer = try await get("stores")
        #expect(answer.value["schema"] == 1)
        let shop = try #require(answer.value["stores"]?.list?.first)
        #expect(shop["name"] == "shop")
        #expect(shop["log"]?["count"] == 3)
        #expect(shop["actions"] == ["CartAction", "Visit"])
    }

    @Test func `what is found in a state, tests, forms and activity are answered as values`()
        async throws
    {
        let found = try await get("stores/shop/state?entry=2&find=fig").value["found"]?.list
        #expect(found?.map { $0["path"] } == ["cart.items.1.name"])
        let source = try await get("stores/shop/test?from=1&to=2").value["source"]?.text
        #expect(source?.contains("Fig") == true && source?.contains("makeStore()") == true)
        let actions = try await get("stores/shop/actions").value["actions"]?.list
        #expect(actions?.first?["name"] == "CartAction/add")
        #expect(actions?.first?["fields"]?.list?.first?["kind"] == "integer")
        let activity = try await get("stores/shop/activity").value
        #expect(activity["costs"]?.list?.first?["count"] == 3)
        #expect(activity["effects"] == [] && activity["subscribers"] == [])
        let effects = try await get("stores/shop/effects?span=60000000000&entry=2&limit=5").value
        #expect(effects["effects"] == [] && effects["entries"]?.list?.count == 3)
        #expect(
            try await get("stores/shop/effects?origin=a&without=b&without=c&before=7").status == 200
        )
        #expect(try await get("stores/shop/effects?before=x").status == 400)
        let hidden = try await get("stores/shop/entries?hide=CartAction%2Fadd").value["entries"]?
            .list
        #expect(hidden?.map { $0["id"] } == [3])
        #expect(try await get("stores/shop/routes?before=2").value["entries"] == [])
    }

    @Test func `entries, states, differences and who changed what are answered as values`()
        async throws
    {
        let entries = try await get("stores/shop/entries?text=pear").value["entries"]?.list
        #expect(entries?.map { $0["id"] } == [1])
        #expect(entries?.first?["name"] == "CartAction/add")
        #expect(try await get("stores/shop/entries/2").value["line"]?["preview"] != nil)
        #expect(try await get("stores/shop/state?entry=2&path=cart.total").value["text"] == "7")
        #expect(
            try await get("stores/shop/state?entry=2&path=cart.total&whole=1").value["value"] == 7)
        #expect(try await get("stores/shop/state?path=cart.total&whole=1").value["value"] == 0)
        let changes = try await get("stores/shop/diff?from=1&to=2&path=cart.total").value[
            "changes"]?.list
        #expect(
            changes == [["path": "cart.total", "kind": "changed", "old": "3", "new": "7"]])
        let who = try await get("stores/shop/who?path=cart.items&limit=1").value["entries"]?.list
        #expect(who?.map { $0["name"] } == ["CartAction/clear"])
    }

    @Test func `a shortest test has the entries that a value needs, and no other`() async throws {
        for id in 10..<30 { store.dispatch(CartAction.add(id: id, name: "Kiwi", price: 5)) }
        store.dispatch(CartAction.remove(12))
        let last = stores.all[0].store.summary.newestID
        let answer = try await get("stores/shop/test?shortest=1&path=cart.total&to=\(last)")
        let source = try #require(answer.value["source"]?.text)
        #expect(source.contains("100"))
        #expect(!source.contains("CartAction/clear") && !source.contains("CartAction/remove"))
        // Two kiwis would do if each were dearer: values become what the total allows.
        #expect(source.split(separator: "CartAction/add").count - 1 <= 20)
        let whole = try await get("stores/shop/test?shortest=1&path=visits&to=\(last)")
        #expect(whole.status == 404)
        #expect(whole.value["message"]?.text?.contains("from the beginning") == true)
    }

    @Test func `a page asks how far a search is until it has ended`() async throws {
        let path = "stores/shop/test?shortest=1&poll=1&path=cart.items&to=2"
        var answer = try await get(path)
        while answer.value["search"] != "found" {
            #expect(["waiting", "searching"].contains(answer.value["search"]?.text))
            await Task.yield()
            answer = try await get(path)
        }
        #expect(answer.value["source"]?.text?.contains("CartAction/add") == true)
        #expect(answer.value["isShortest"] == true)
    }

    @Test func `an answer isn't found for a sender that has left`() async throws {
        let answer = Task { [interface] in
            withUnsafeCurrentTask { $0?.cancel() }
            return await interface.answerHere(
                InspectorRequest(.get, "stores/shop/test?shortest=1&path=cart.items&to=2"))
        }
        #expect(await answer.value.status == 409)
    }

    @Test func `commands do what they say, and answer with the log`() async throws {
        let answer = try await post("stores/shop/commands", #"{"command":"jump","moment":1}"#)
        #expect(answer.status == 200)
        #expect(answer.value["cursor"] == 1)
        #expect(store.state.cart.total == 3)
        _ = try await post("stores/shop/commands", #"{"command":"live"}"#)
        let dispatched = try await post(
            "stores/shop/commands",
            #"{"command":"dispatch","json":"{\"type\":\"CartAction/add\",\"id\":9,\"name\":\"x\",\"price\":5}"}"#
        )
        #expect(dispatched.status == 200)
        #expect(store.state.cart.total == 5)
    }

    @Test(
        arguments: [
            ("stores/nowhere/entries", 404), ("stores/shop/entries/99", 404), ("stores/shop", 404),
            ("stores/shop/state?path=cart.x", 404), ("stores/shop/entries?limit=many", 400),
            ("stores/shop/state?entry=99", 404), ("stores/shop/entries?text=%zz", 400),
        ])
    func `what isn't there, or can't be read, is said in a sentence`(path: String, status: Int)
        async throws
    {
        let answer = try await get(path)
        #expect(answer.status == status)
        #expect(answer.value["message"]?.text?.isEmpty == false)
        #expect(answer.value["schema"] == 1)
    }

    @Test(
        arguments: [
            "entries/MIN", "effects?span=MIN&entry=MIN&limit=MIN", "effects?span=MAX&entry=1",
            "routes?before=MIN&limit=MAX", "entries/MAX", "entries?before=MIN&limit=MIN",
            "entries?after=MAX&limit=MAX", "state?from=MAX&limit=MAX", "state?from=MIN&limit=MIN",
            "state?entry=MIN", "diff?from=MIN&to=MAX", "diff?limit=MAX", "who?path=cart&after=MIN",
        ])
    func `a number may be any`(path: String) async throws {
        let path = path.replacing("MIN", with: "\(Int.min)").replacing("MAX", with: "\(Int.max)")
        #expect([200, 404].contains(try await get("stores/shop/\(path)").status))
    }

    @Test func `times of a file may be any`() async throws {
        let file = await interface.answerHere(InspectorRequest(.get, "stores/shop/file"))
        var value = try DataFormat.json.value(of: file.bytes)
        value["actionsById"]?["1"]?["timestamp"] = .number(-8.9e12)
        value["actionsById"]?["2"]?["timestamp"] = .number(8.9e12)
        let body = String(decoding: DataFormat.json.bytes(of: value), as: UTF8.self)
        #expect(try await post("stores/shop/file", body).status == 200)
        let entries = try await get("stores/shop/entries").value["entries"]?.list
        #expect(entries?.map { $0["delta"] }[1] == 0)
    }

    @Test(
        arguments: [
            "", "[]", #"{"command":"explode"}"#, #"{"command":"jump"}"#,
            #"{"command":"jump","moment":99}"#, #"{"command":"toggle","entry":-1}"#,
            #"{"command":"dispatch","json":"{}"}"#, #"{"command":"dispatch","json":"nonsense"}"#,
            #"{"command":"dispatch","json":"{\"type\":\"Unknown/x\"}"}"#,
            #"{"command":"dispatch","json":"{\"type\":\"Visit\"}"}"#,
            #"{"command":"skip","from":3,"to":1}"#, #"{"command":"toggle","entry":99}"#,
            #"{"command":"step","by":-9223372036854775808}"#,
        ])
    func `a command that can't be done changes nothing`(body: String) async throws {
        let before = stores.all[0].store.summary
        let answer = try await post("stores/shop/commands", body)
        #expect(answer.status >= 400)
        #expect(answer.value["message"]?.text?.isEmpty == false)
        #expect(stores.all[0].store.summary == before)
        #expect(store.state.cart == Cart())
    }

    @Test func `a log goes out as a file, and comes back as it was`() async throws {
        let file = await interface.answerHere(InspectorRequest(.get, "stores/shop/file"))
        #expect(file.fileName == "shop.json")
        _ = try await post("stores/shop/commands", #"{"command":"reset"}"#)
        #expect(stores.all[0].store.summary.count == 0)
        let answer = await interface.answerHere(
            InspectorRequest(.post, "stores/shop/file", body: file.bytes))
        #expect(answer.status == 200)
        #expect(stores.all[0].store.summary.count == 3)
        #expect(try await post("stores/shop/file", "{}").status == 400)
        #expect(stores.all[0].store.summary.count == 3)
    }

    @Test func `a command is read as it was written`() async throws {
        let commands: [InspectorCommand] = [
            .jump(moment: 3), .show(entry: 4), .step(by: -1), .live, .toggle(entry: 1),
            .skip(from: 1, to: 2), .run(from: 1, to: 2), .move(entry: 1, before: 2), .lock, .unlock,
            .pause, .record, .reset, .revert, .sweep, .commit, .dispatch(json: "{}"),
        ]
        for command in commands {
            #expect(try DataValue(encoding: command).decoded() == command)
        }
    }

    @Test func `names can stand in URLs, and each is given once`() {
        #expect(
            stores.add(AttachedStore(store, limit: 9, files: nil, jobs: stores.jobs), as: "shop")
                == "shop-2")
        #expect(
            stores.add(AttachedStore(store, limit: 9, files: nil, jobs: stores.jobs), as: "a/b ü")
                == "a-b--")
        #expect(
            stores.add(AttachedStore(store, limit: 9, files: nil, jobs: stores.jobs), as: "api")
                == "api-2")
        #expect(
            stores.add(AttachedStore(store, limit: 9, files: nil, jobs: stores.jobs), as: "")
                == "store")
        stores.remove("shop")
        #expect(stores["shop"] == nil)
    }
}
