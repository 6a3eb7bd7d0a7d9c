// SPDX-License-Identifier: MIT

import Foundation
import Observation
import Onward
import Testing

@testable import OnwardCore
@testable import OnwardObservation
@testable import TestSupport

private enum Plan: String, Codable, CaseIterable { case free, paid }

private struct SignUp: Equatable, Editable {
    var name = "", mail = "", age: Int?, wantsNews = false, plan = Plan.free
    /// Isn't declared.
    var touched: Set<String> = []

    static let fields = Fields<SignUp>(\.name, \.mail, \.age, \.wantsNews, \.plan)
}

private struct Guest: Equatable, Identifiable, Editable {
    let id: Int
    var name = ""
    static let fields = Fields<Guest>(\.name)
}

private struct Party: Equatable, Sendable {
    var host = SignUp(), other: SignUp?, guests: EntityTable<Guest> = [Guest(id: 1), Guest(id: 2)]
}

private let signUp = Feature<SignUp> {
    Edits()
    Reduce { (form, edit: Edit<SignUp>) in form.touched.insert(edit.field) }
}

private let party = Feature<Party> {
    Scope(\.host, signUp)
    Scope(\.other, signUp)
    Scope(each: \.guests) { Edits() }
}

/// Withholds addresses without an at sign.
private struct CheckMail: Middleware {
    func handle<A: Action>(_ action: A, in context: borrowing MiddlewareContext<SignUp>)
        -> DispatchResult
    {
        if let mail = (action as? Edit<SignUp>)?.value(of: \.mail), !mail.contains("@") {
            return .withheld
        }
        return context.next(action)
    }
}

@Suite(.timeLimit(.minutes(5))) struct EditingTests {
    private func makeForm() -> Store<SignUp> { Store(SignUp()) { signUp } }

    @Test
    func `an edit gives one declared field another value, and is one recorded action`() {
        let store = makeForm()
        let log = Log<LogEntry>()
        let token = store.log.attach(Observe<SignUp> { log.append($0.entry) })
        #expect(store.edit(\.name, "Ann") == .accepted(1))
        store.edit(\.age, 30)
        store.edit(\.age, nil)
        store.edit(\.plan, .paid)
        #expect(
            store.state
                == SignUp(name: "Ann", age: nil, plan: .paid, touched: ["name", "age", "plan"]))
        #expect(
            log.all.map { $0.action as? Edit<SignUp> } == [
                Edit(\.name, "Ann"), Edit(\.age, 30), Edit(\.age, nil), Edit(\.plan, .paid),
            ])
        #expect(log.all.map(\.action.wireName) == Array(repeating: "SignUp.Edit", count: 4))
        #expect(log.all.map(\.origin.line) == [#line - 12, #line - 11, #line - 10, #line - 9])
        token.cancel()
    }

    @Test
    func `edits are equal if they give the same field the same value`() {
        #expect(Edit<SignUp>(\.name, "Ann") == Edit(\.name, "Ann"))
        #expect(Edit<SignUp>(\.name, "Ann") != Edit(\.name, "Bob"))
        #expect(Edit<SignUp>(\.name, "Ann") != Edit(\.mail, "Ann"))
        #expect(Edit<SignUp>(\.age, nil) == Edit(\.age, nil))
        #expect(Edit<SignUp>(\.age, nil) != Edit(\.age, 0))
    }

    @Test
    func `an edit has a value for its own field alone, which may be nil`() {
        let edit = Edit<SignUp>(\.name, "Ann")
        #expect(edit.field == "name")
        #expect(edit.value(of: \.name) == "Ann")
        #expect(edit.value(of: \.mail) == nil)
        #expect(Edit<SignUp>(\.age, nil).value(of: \.age) == .some(nil))
        #expect(Edit<SignUp>(\.age, 7).value(of: \.age) == 7)
        #expect(edit.value(of: \.age) == nil)
    }

    @Test
    func `a middleware withholds an edit like any action`() {
        let store = Store(SignUp()) {
            CheckMail()
            signUp
        }
        #expect(store.edit(\.mail, "ann") == .withheld)
        #expect(store.edit(\.mail, "ann@example.com") == .accepted(1))
        #expect(store.edit(\.name, "ann") == .accepted(2))
        #expect(store.state.mail == "ann@example.com")
    }

    @Test
    func `an edit reaches the slice or the row through whose store it is made, and no other`() {
        let store = Store(Party()) { party }
        store.scoped(to: \.host).edit(\.name, "Ann")
        #expect(store.state.host.name == "Ann")
        #expect(store.scoped(to: \.other).edit(\.name, "Bob") == .refused(.absent))
        #expect(store.state.other == nil)
        store.scoped(to: .row(\.guests, id: 2)).edit(\.name, "Cleo")
        #expect(store.state.guests.map(\.name) == ["", "Cleo"])
        let row = store.scoped(to: .row(\.guests, id: 1), sending: Edit<Guest>.self)
        row.edit(\.name, "Dan")
        row.unwrapped()?[editing: \.name] += "ny"
        #expect(store.state.guests.map(\.name) == ["Danny", "Cleo"])
        #expect(
            store.scoped(to: .row(\.guests, id: 3)).edit(\.name, "Eve") == .refused(.absent))
    }

    @Test
    func `reading a field observes it, assigning it edits it`() async {
        let store = makeForm().scoped(sending: Edit<SignUp>.self)
        let notified = Log<Void>()
        withObservationTracking {
            _ = store[editing: \.name]
        } onChange: {
            notified.append(())
        }
        store[editing: \.wantsNews] = true
        await store.base.waitUntilIdle()
        #expect(notified.all.isEmpty)
        store[editing: \.name] = "Ann"
        await store.base.waitUntilIdle()
        #expect(notified.all.count == 1)
        #expect(store.state.name == "Ann")
    }

    @Test @MainActor
    func `key paths lead to an edited field, as Bindable needs`() {
        let store = makeForm()
        let path: ReferenceWritableKeyPath<Store<SignUp>, String> = \.[editing: \.name]
        store[keyPath: path] = "Ann"
        #expect(store[keyPath: path] == "Ann")
    }

    @Test
    func `a property that isn't declared can't be edited, and the report says how it could`() {
        let mistakes = Log<ProgrammerError>()
        let store = Store(
            SignUp(), options: StoreOptions(onProgrammerError: { mistakes.append($0) })
        ) {
            signUp
        }
        #expect(store.edit(\.touched, ["all"]) == .refused(.unhandled))
        #expect(store.version == 0)
        #expect(
            mistakes.all.map(\.description) == [
                #"""
                \SignUp.touched was to be edited, but it isn't among the fields that SignUp declares, so it \#
                stays as it is. The log and other programs know a field by its declared name. The fields \#
                are: name, mail, age, wantsNews, plan. To fix this, list the key \#
                path in `static let fields = Fields<SignUp>(…)`, or change the property in a Reduce.
                """#
            ])
        // Made by hand, it comes as far as the reducer.
        store.dispatch(Edit<SignUp>(\.touched, ["all"]))
        #expect(store.state == SignUp(touched: [#"\SignUp.touched"#]))
        #expect(mistakes.all.map(\.kind) == [.undeclaredField, .undeclaredField])
        #expect(throws: EncodingError.self) {
            try JSONEncoder().encode(Edit<SignUp>(\.touched, ["all"]))
        }
    }

    @Test
    func `fields without a name or with one name are reported, once for each store`() {
        struct Sloppy: Editable {
            var first = "", second = ""
            var both: String {
                get { first + second }
                set { first = newValue }
            }
            static let fields = Fields<Sloppy>(\.first, \.both).adding(\.second, named: "first")
        }
        let mistakes = Log<ProgrammerError>()
        let store = Store(
            Sloppy(), options: StoreOptions(onProgrammerError: { mistakes.append($0) })
        ) {
            Edits()
        }
        #expect(mistakes.all.map(\.kind) == [.unclearField, .unclearField])
        #expect(mistakes.all.first?.description.contains(#"named: "…""#) == true)
        store.edit(\.first, "a")
        #expect(store.state.first == "a")
    }

    @Test
    func `a computed or nested property is a field once it has a name`() throws {
        struct Address: Equatable, Sendable { var zip = "" }
        struct Order: Equatable, Editable {
            var address = Address(), cents = 0
            var amount: String {
                get { "\(cents)" }
                set { cents = Int(newValue) ?? cents }
            }
            static let editName = "OrderEdited"
            static let fields = Fields<Order>(\.address.zip).adding(\.amount, named: "amount")
        }
        let mistakes = Log<ProgrammerError>()
        let store = Store(
            Order(), options: StoreOptions(onProgrammerError: { mistakes.append($0) })
        ) {
            Edits()
        }
        store.edit(\.address.zip, "04109")
        store.edit(\.amount, "250")
        #expect(store.state == Order(address: Address(zip: "04109"), cents: 250))
        #expect(Order.fields.names == ["address.zip", "amount"])
        #expect(Edit<Order>.actionName == "OrderEdited")
        #expect(mistakes.all.isEmpty)
    }

    // MARK: Coding

    private func read(_ json: String) throws -> Edit<SignUp> {
        try JSONDecoder().decode(Edit<SignUp>.self, from: Data(json.utf8))
    }

    @Test
    func `an edit is written with the name of the field and the value`() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let edits: [(Edit<SignUp>, String)] = [
            (Edit(\.name, "Ann"), #"{"field":"name","value":"Ann"}"#),
            (Edit(\.age, 30), #"{"field":"age","value":30}"#),
            (Edit(\.age, nil), #"{"field":"age","value":null}"#),
            (Edit(\.plan, .paid), #"{"field":"plan","value":"paid"}"#),
        ]
        for (edit, json) in edits {
            #expect(try String(decoding: encoder.encode(edit), as: UTF8.self) == json)
            #expect(try read(json) == edit)
        }
    }

    @Test(arguments: [
        #"{"field":"touched","value":["all"]}"#, #"{"field":"","value":1}"#, #"{"value":"Ann"}"#,
        #"{"field":"name"}"#, #"{"field":"name","value":7}"#, #"{"field":"name","value":null}"#,
        #"{"field":"age","value":"7"}"#, #"{"field":"age","value":1e40}"#,
        #"{"field":"plan","value":"stolen"}"#, #"{"field":{"name":1},"value":"Ann"}"#, "[]", "7",
    ])
    func `what is no edit of a declared field with a value of its type is refused`(json: String) {
        #expect(throws: DecodingError.self) { try read(json) }
    }

    @Test
    func `a field that there isn't is refused with the names of those that there are`() {
        let name = String(repeating: "x", count: 1_000)
        #expect {
            try read(#"{"field":"\#(name)","value":1}"#)
        } throws: { error in
            guard case DecodingError.dataCorrupted(let context) = error else { return false }
            return context.codingPath.map(\.stringValue) == ["field"]
                && context.debugDescription == """
                    SignUp.Edit has no field "\(name.prefix(40))"; there are name, mail, age, wantsNews, plan
                    """
        }
    }

    @Test
    func `a form that is made for an edit offers the declared fields`() {
        let shapes = ActionShape.all(in: Edit<SignUp>.self)
        #expect(shapes.map(\.name) == ["SignUp.Edit"])
        #expect(
            shapes.first?.fields.map(\.kind)
                == [.choice(["name", "mail", "age", "wantsNews", "plan"]), .other])
    }
}
