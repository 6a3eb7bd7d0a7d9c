// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardJournal
@testable import class TestSupport.Mistakes

/// Where a `Saving` may stand, and that no two save in one place.
struct SavedSliceTests {
    /// A storage in memory.
    private final class Memory: ValueStorage {
        private let contents = Guarded<[UInt8]?>(nil)

        init(_ text: String? = nil) {
            contents.withValue { $0 = text.map { Array($0.utf8) } }
        }

        func read() -> [UInt8]? { contents.withValue { $0 } }
        func write(_ bytes: [UInt8]) { contents.withValue { $0 = bytes } }

        var text: String? { read().map { String(decoding: $0, as: UTF8.self) } }
    }

    private struct Draft: Codable, Equatable, Sendable, Identifiable {
        var id = 1
        var text = ""
    }

    private struct Desk: Sendable {
        var draft: Draft?
        var rows: EntityTable<Draft> = []
        var kept = Draft()
        /// A property without a place of its own in the bytes of the state.
        var computed: Draft {
            get { kept }
            set { kept = newValue }
        }
    }

    private enum DraftAction: Action { case write(String) }
    private enum DeskAction: Action { case open(Draft), add(Draft) }

    private let mistakes = Mistakes()
    private let precious = Memory(#"{"schema":1,"value":{"id":1,"text":"precious"}}"#)

    private func draft(_ saving: Saving<Draft, Draft>) -> Feature<Draft> {
        Feature {
            Reduce { (draft: inout Draft, action: DraftAction) in
                switch action {
                case .write(let text): draft.text = text
                }
            }
            saving
        }
    }

    private let desk = Reduce { (desk: inout Desk, action: DeskAction) in
        switch action {
        case .open(let draft): desk.draft = draft
        case .add(let draft): desk.rows[id: draft.id] = draft
        }
    }

    @Test func `a child that comes later is reported, and writes over nothing`() async {
        let store = Store(Desk(), options: mistakes.options()) {
            desk
            Scope(\.draft, draft(Saving(\.self, in: precious)))
        }
        store.dispatch(DeskAction.open(Draft()))
        store.dispatch(DraftAction.write("new"))
        await store.shutdown()
        #expect(precious.text?.contains("precious") == true)
        #expect(mistakes.kinds == [.savingWhatComesAndGoes])
        #expect(
            mistakes.all.first?.description == """
                A Saving of \\Draft.self at "draft" stands in rows, or in a child that is optional. What was \
                saved is read when the store is made, so a child that comes later would begin without \
                it and write over it, and rows would share one storage. So nothing is read or saved there. To \
                fix this, put the Saving at the parent that is always there, and let it save all rows, or the \
                child: Saving(\\.rows, in: storage).
                """)
    }

    @Test func `rows are reported, whether they load by themselves or not`() async {
        let saved = SavedValue<Draft>(in: precious)
        let store = Store(Desk(rows: [Draft(id: 1), Draft(id: 2)]), options: mistakes.options()) {
            Scope(each: \.rows, draft(Saving(\.self, as: saved)))
        }
        store.dispatch(DraftAction.write("new"))
        await store.shutdown()
        #expect(precious.text?.contains("precious") == true)
        #expect(mistakes.kinds == [.savingWhatComesAndGoes])
    }

    @Test func `what is presented is optional, and so is all inside it`() async {
        struct Room: Sendable { var desk: Desk? }
        let store = Store(Room(), options: mistakes.options()) {
            Present(\.desk) {
                Scope(\.computed, name: "computed", draft(Saving(\.self, in: precious)))
            }
        }
        #expect(mistakes.kinds == [.savingWhatComesAndGoes])
        await store.shutdown()
    }

    @Test func `a computed property is always there, and a parent saves its rows`() async {
        let rows = Memory()
        func store() -> Store<Desk> {
            Store(Desk(), options: mistakes.options()) {
                desk
                Scope(\.computed, name: "computed", draft(Saving(\.self, in: precious)))
                Saving(\.rows, in: rows)
            }
        }
        let first = store()
        #expect(first.state.computed.text == "precious")
        first.dispatch(DeskAction.add(Draft(id: 7, text: "row")))
        await first.shutdown()
        let second = store()
        #expect(second.state.rows[id: 7]?.text == "row")
        await second.shutdown()
        #expect(mistakes.kinds.isEmpty)
    }

    @Test func `a feature that saves at two places is reported, and the first one is saved`()
        async throws
    {
        let memory = Memory()
        let fruit = Feature<Basket> {
            basket
            Saving(\.self, in: memory)
        }
        let store = Store(Shop(), options: mistakes.options()) {
            Scope(\.left, fruit)
            Scope(\.right, fruit)
        }
        store.scoped(to: \.left).dispatch(add("apple"))
        store.scoped(to: \.right).dispatch(add("pear"))
        await store.shutdown()
        #expect(try SavedValue<Basket>(in: memory).load()?.items == ["apple"])
        #expect(mistakes.kinds == [.repeatedStorage])
        #expect(
            mistakes.all.first?.description == """
                A Saving of \\Basket.self at "right" has the storage of another one, that of \
                \\Basket.self at "left", and each would write over what the other saved. So only the first \
                one reads and saves. To fix this, give each a storage of its own: where one feature stands \
                at several places, make it by a function that takes the storage, or put a Saving for each \
                beside their scopes.
                """)
    }

    @Test(arguments: ["/nowhere/fruit.json", "/nowhere/./fruit.json"])
    func `two slices with one file are reported, however it is written`(path: String) {
        _ = Store(Shop(), options: mistakes.options()) {
            Saving(\.left, in: .file("/nowhere/fruit.json"))
            Saving(\.right, in: .file(path))
            Saving(\.right.total, in: .file("/nowhere/total.json"))
        }
        #expect(mistakes.kinds == [.repeatedStorage])
    }

    @Test func `stores that are made one after the other of one feature are no mistake`() async {
        let memory = Memory()
        let fruit = Feature<Shop> {
            Scope(\.left, basket)
            Saving(\.left, in: memory)
        }
        for count in 0..<3 {
            let store = Store(Shop(), options: mistakes.options()) { fruit }
            #expect(store.state.left.items.count == count)
            store.scoped(to: \.left).dispatch(add("apple"))
            await store.shutdown()
        }
        #expect(mistakes.kinds.isEmpty)
    }
}
