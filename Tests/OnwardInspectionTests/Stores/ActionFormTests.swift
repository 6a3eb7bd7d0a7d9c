// SPDX-License-Identifier: MIT

import InspectedShop
import Onward
import OnwardJournal
import Testing

@testable import OnwardInspection

struct ActionFormTests {
    private let shop = makeShop()
    private let store: AttachedStore<Shop>

    init() { store = AttachedStore(shop, limit: 100, files: nil, jobs: QuestionThread()) }

    @Test func `there is a form for each registered action that can be decoded`() {
        #expect(
            store.actionForms.map(\.name) == [
                "CartAction/add", "CartAction/remove", "CartAction/clear",
            ])
        #expect(store.actionForms.first?.fields.map(\.name) == ["id", "name", "price"])
    }

    @Test func `what was filled in becomes an action`() throws {
        let form = try #require(store.actionForms.first)
        let json = try form.json(["id": "7", "name": "\"Pear\"", "price": "-3"])
        try store.perform(.dispatch(json: json))
        #expect(shop.state.cart.items == [Item(id: 7, name: "\"Pear\"")])
        #expect(shop.state.cart.total == -3)
    }

    @Test func `an empty text is a text, other empty fields are missing`() throws {
        let form = try #require(store.actionForms.first)
        #expect(try form.json([:]) == #"{"name":"","type":"CartAction/add"}"#)
        let error = #expect(throws: InspectorError.self) {
            try store.perform(.dispatch(json: try form.json([:])))
        }
        #expect(error?.description.contains("id") == true)
    }

    @Test(arguments: ["x", "1.5", "true", "[1]", "99999999999999999999"])
    func `a value of another kind is refused by the name of its field`(text: String) throws {
        let form = try #require(store.actionForms.first)
        let error = #expect(throws: InspectorError.self) { try form.json(["id": text]) }
        #expect(error?.description == "\"id\" is no whole number: \(text)")
    }
}
