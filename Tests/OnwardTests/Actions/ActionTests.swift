// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import TestSupport

enum Outer {
    struct Inner: Action {}
    enum Choice: Action { case first, second(label: Int) }
    struct Generic<Value: Sendable>: Action {}
}

@Suite struct ActionTests {
    @Test
    func `is named after its type, with the types around it and without its module`() {
        struct Local: Action {}
        #expect(BankAction.actionName == "BankAction")
        #expect(Outer.Inner.actionName == "Outer.Inner")
        #expect(Outer.Generic<Outer.Inner>.actionName == "Outer.Generic<Outer.Inner>")
        #expect(Outer.Generic<[String: Int]>.actionName == "Outer.Generic<Dictionary<String, Int>>")
        #expect(Local.actionName.hasSuffix("Local"))
        #expect(!Local.actionName.contains("unknown context"))
        #expect(!Local.actionName.contains("OnwardTests"))
    }

    @Test
    func `has a wire name: the type's name, for an enum followed by the case`() {
        #expect(Outer.Inner().wireName == "Outer.Inner")
        #expect(Outer.Choice.first.wireName == "Outer.Choice/first")
        #expect(Outer.Choice.second(label: 1).wireName == "Outer.Choice/second")
        #expect(BankAction.deposit(3).wireName == "BankAction/deposit")
    }

    @Test
    func `may have a name of its own`() {
        enum Renamed: Action {
            case go
            static var actionName: String { "Old.Name" }
        }
        #expect(Renamed.go.wireName == "Old.Name/go")
        let store = Store(0) { Reduce { (n: inout Int, _: Renamed) in n += 1 } }
        #expect(store.log.actions.names == ["Old.Name"])
        #expect(store.log.actions.type(named: "Old.Name") == Renamed.self)
        #expect(store.log.actions.type(named: "Renamed") == nil)
    }
}
