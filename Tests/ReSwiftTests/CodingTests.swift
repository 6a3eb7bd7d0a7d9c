// SPDX-License-Identifier: MIT

import ReSwift
import Testing

@Suite("Coding")
struct CodingTests {
    private struct Named: Coding, Equatable {
        let name: String

        init(name: String) { self.name = name }

        init?(dictionary: [String: AnyObject]) {
            guard let name = dictionary["name"] as? String else { return nil }
            self.name = name
        }

        var dictionaryRepresentation: [String: AnyObject] { ["name": name as AnyObject] }
    }

    @Test func `A value goes through a dictionary and comes back`() {
        let value = Named(name: "Ada")
        #expect(Named(dictionary: value.dictionaryRepresentation) == value)
        #expect(Named(dictionary: [:]) == nil)
    }

    @Test func `A standard action goes through a dictionary and comes back`() {
        let action = StandardAction(
            type: "deposit", payload: ["amount": 5 as AnyObject], isTypedAction: true)
        let read = StandardAction(dictionary: action.dictionaryRepresentation)
        #expect(read?.type == "deposit")
        #expect(read?.payload?["amount"] as? Int == 5)
        #expect(read?.isTypedAction == true)
        #expect(StandardAction(dictionary: ["payload": 1 as AnyObject]) == nil)
        #expect(StandardAction(type: "a").payload == nil)
    }

    @Test func `An action with a type goes through its standard form`() {
        struct Pay: StandardActionConvertible {
            let amount: Int
            init(amount: Int) { self.amount = amount }
            init(_ standardAction: StandardAction) {
                amount = standardAction.payload?["amount"] as? Int ?? 0
            }
            func toStandardAction() -> StandardAction {
                StandardAction(
                    type: "pay", payload: ["amount": amount as AnyObject], isTypedAction: true)
            }
        }
        #expect(Pay(Pay(amount: 3).toStandardAction()).amount == 3)
    }
}
