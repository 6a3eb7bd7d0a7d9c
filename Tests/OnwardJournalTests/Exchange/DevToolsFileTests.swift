// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardJournal
import Testing

struct DevToolsFileTests {
    private let store = makeShop()
    private var codec: ActionCodec { ActionCodec(for: store.actions) }

    private func recorded() -> History<Shop> {
        let history = History(of: store)
        store.scoped(to: \.left).dispatch(add("pear", 9_007_199_254_740_993))
        store.dispatch(Note(text: "hi"))
        store.dispatch(Mood.good)
        store.dispatch(BasketAction.discount(50))
        history.toggle(2)
        return history
    }

    @Test func `the full log comes back as it was`() throws {
        var log = recorded().log
        let bytes = try log.devToolsFile(codec).bytes
        let other = makeShop()
        var copy = History(of: other).log
        try copy.load(DevToolsFile(bytes), ActionCodec(for: other.actions))
        #expect(copy.shownState() == log.shownState())
        #expect(copy.staged.map { "\($0.action)" } == log.staged.map { "\($0.action)" })
        #expect(copy.staged.map(\.address) == log.staged.map(\.address))
        #expect(copy.staged.map(\.origin) == log.staged.map(\.origin))
        #expect(copy.skipped == [2])
        #expect(try copy.devToolsFile(codec).bytes == bytes)
    }

    @Test func `the file has what a script expects`() throws {
        var log = recorded().log
        let bytes = try log.devToolsFile(codec).bytes
        let file = try #require(
            try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        #expect(file["stagedActionIds"] as? [Int] == [0, 1, 2, 3, 4])
        #expect((file["computedStates"] as? [Any])?.count == 5)
        let first = ((file["actionsById"] as? [String: Any])?["1"] as? [String: Any])
        let action = first?["action"] as? [String: Any]
        #expect(action?["type"] as? String == "BasketAction/add")
        #expect(action?["name"] as? String == "pear")
        #expect(action?["price"] as? String == "9007199254740993")
        #expect(action?["@address"] as? String == "left")
    }

    @Test func `a list of actions runs through the reducers`() throws {
        let file = #"""
            {"payload": "[{\"type\":\"Note\",\"text\":\"x\"},{\"type\":\"BasketAction/clear\"}]",
             "preloadedState": "{\"left\":{\"items\":[\"a\"],\"total\":1},\"right\":{\"items\":[],\"total\":0}}"}
            """#
        var log = History(of: store).log
        try log.load(DevToolsFile(Array(file.utf8)), codec)
        #expect(log.state(at: 1).left.items == ["a", "x"])
        #expect(log.shownState().left.items.isEmpty)
    }

    @Test(arguments: [
        ("{}", "`actionsById` is missing"),
        (#"{"actionsById":{}}"#, "`stagedActionIds` is missing"),
        (#"{"actionsById":{},"stagedActionIds":[1]}"#, "does not begin with 0"),
        (#"{"actionsById":{},"stagedActionIds":[0]}"#, "`committedState` is missing"),
        (
            #"{"actionsById":{},"stagedActionIds":[0,1],"committedState":{},"currentStateIndex":0}"#,
            "names action 1, which is not there"
        ),
        (
            #"{"actionsById":{"1":{"action":{"text":1}}},"stagedActionIds":[0,1],"committedState":{}}"#,
            "`actionsById[1].action.type` is missing"
        ),
        (
            #"{"actionsById":{"1":{"action":{"type":"a"}}},"stagedActionIds":[0,1,1],"committedState":{}}"#,
            "names an id twice"
        ),
        (
            #"{"actionsById":{},"stagedActionIds":[0],"committedState":{},"currentStateIndex":1}"#,
            "not between 0 and 0"
        ),
        (
            #"{"actionsById":{},"stagedActionIds":[0],"committedState":{},"currentStateIndex":0,"computedStates":[]}"#,
            "0 states for 1 actions"
        ),
        (
            #"{"actionsById":{"4":{"action":{"type":"a"}}},"stagedActionIds":[0,4],"committedState":{},"currentStateIndex":0,"nextActionId":2}"#,
            "`nextActionId` is not above"
        ),
        (#"{"payload":7}"#, "`payload` is not the text of a JSON array"),
        (#"{"payload":"[1]"}"#, "`payload[0].type` is missing"),
        (#"{"payload":"[","preloadedState":null}"#, "`payload` cannot be read"),
        ("[1, 2", "The file cannot be read"),
    ])
    func `a file that does not fit together says where`(text: String, reason: String) {
        #expect {
            try DevToolsFile(Array(text.utf8))
        } throws: { "\($0)".contains(reason) }
    }

    @Test func `an unknown action or a strange state changes nothing`() throws {
        var log = recorded().log
        let before = log.shownState()
        let unknown = try DevToolsFile(Array(#"{"payload":"[{\"type\":\"Nobody\"}]"}"#.utf8))
        #expect {
            try log.load(unknown, codec)
        } throws: { ($0 as? DevToolsError)?.code == .unknownAction }
        let strange = try DevToolsFile(
            Array(#"{"payload":"[]","preloadedState":"{\"left\":7}"}"#.utf8))
        #expect {
            try log.load(strange, codec)
        } throws: { ($0 as? DevToolsError)?.code == .otherState }
        #expect(log.shownState() == before)
    }

    @Test func `files that are too large or too deep are refused at once`() {
        let large = [UInt8](repeating: UInt8(ascii: " "), count: 100 << 20)
        #expect {
            try DevToolsFile(large)
        } throws: { "\($0)".contains("more than the limit of") }
        let deep = Array(String(repeating: "[", count: 1 << 20).utf8)
        #expect {
            try DevToolsFile(deep)
        } throws: { "\($0)".contains("nested deeper than 128 levels") }
    }
}
