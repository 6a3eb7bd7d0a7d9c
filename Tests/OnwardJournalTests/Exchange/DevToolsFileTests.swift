// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardJournal
import Testing

@testable import TestSupport

struct DevToolsFileTests {
    private let store = makeShop()
    private var codec: ActionCodec { ActionCodec(for: store.log.actions) }

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
        let bytes = try log.devToolsFile(codec)
        let other = makeShop()
        var copy = History(of: other).log
        try copy.load(DevToolsFile(bytes), ActionCodec(for: other.log.actions))
        #expect(copy.shownState() == log.shownState())
        #expect(copy.staged.map { "\($0.action)" } == log.staged.map { "\($0.action)" })
        #expect(copy.staged.map(\.address) == log.staged.map(\.address))
        #expect(copy.staged.map(\.origin) == log.staged.map(\.origin))
        #expect(copy.skipped == [2])
        #expect(try copy.devToolsFile(codec) == bytes)
    }

    @Test func `an action that can't be written keeps no other from being exported`() throws {
        let log = HistoryLog(from: store.state) { [store] in store.log.replay($0, from: $1) }
        var recorded = log
        let actions: [any Action] = [add("pear", 3), Undescribed(), add("fig", 4)]
        for (id, action) in actions.enumerated() {
            recorded.perform(HistoryEntry(id: id + 1, action: action))
        }
        let bytes = try recorded.devToolsFile(codec)
        let file = try DataFormat.json.value(of: bytes)
        let lost = file["actionsById"]?["2"]?["action"]
        #expect(lost?["type"] == "Undescribed" && lost?["@unwritten"]?.text?.isEmpty == false)
        var copy = log
        try copy.load(DevToolsFile(bytes), codec)
        #expect(copy.staged.count == 3)
        #expect(copy.shownState().right.items == recorded.shownState().right.items)
        #expect(try copy.devToolsFile(codec) == bytes)
    }

    @Test func `a file of a paused log comes back with what it shows`() throws {
        let history = recorded()
        history.perform { log in
            log.sweep()
            log.pause()
        }
        store.dispatch(Note(text: "unrecorded"))
        let log = history.log
        let bytes = try log.devToolsFile(codec)
        var copy = History(of: makeShop()).log
        try copy.load(DevToolsFile(bytes), codec)
        #expect(!copy.isPaused)
        #expect(copy.shownState() == store.state)
        #expect(copy.nextID == log.nextID)
        copy.pause()
        #expect(try copy.devToolsFile(codec) == bytes)
    }

    @Test func `a log keeps its own lock and pause, whatever a file says`() throws {
        var log = recorded().log
        log.lock()
        let bytes = try log.devToolsFile(codec)
        var copy = History(of: makeShop()).log
        try copy.load(DevToolsFile(bytes), codec)
        #expect(!copy.isLocked)
        log.lock(false)
        copy.lock()
        copy.pause()
        try copy.load(DevToolsFile(log.devToolsFile(codec)), codec)
        #expect(copy.isLocked && copy.isPaused)
        #expect(copy.staged.count == 4)
    }

    @Test func `a file that was saved in a pause of the browser's extension is read`() throws {
        let base = String(decoding: try JSONEncoder().encode(Shop()), as: UTF8.self)
        let file = """
            {"actionsById":{"0":{"type":"PERFORM_ACTION","action":{"type":"@@INIT"},"timestamp":0},\
            "1":{"type":"PERFORM_ACTION","action":{"type":"Note","text":"hi"},"timestamp":1},\
            "2":{"type":"PERFORM_ACTION","action":{"type":"@@PAUSED"},"timestamp":2}},\
            "nextActionId":3,"stagedActionIds":[0,1,2],"skippedActionIds":[],"committedState":\
            \(base),\
            "currentStateIndex":2,"isPaused":true}
            """
        let history = History(of: store)
        try history.load(DevToolsFile(Array(file.utf8)), codec)
        #expect(history.log.staged.map(\.id) == [1, 2])
        #expect(history.log.cursor == 2)
        #expect(store.state == history.state(at: 1))
        // It is written as it was.
        let log = history.log
        let text = String(decoding: try log.devToolsFile(codec), as: UTF8.self)
        #expect(text.contains(#""type":"@@PAUSED""#))
    }

    @Test func `a file takes the place of what a history recorded, and the store shows it`() throws
    {
        let history = recorded()
        var log = history.log
        let bytes = try log.devToolsFile(codec)
        let other = makeShop()
        let copy = History(of: other)
        other.dispatch(Note(text: "before"))
        try copy.load(DevToolsFile(bytes), ActionCodec(for: other.log.actions))
        #expect(other.state == store.state)
        other.dispatch(Note(text: "after"))
        #expect(copy.log.staged.count == 5)
        let wrong = try DevToolsFile(Array(#"{"payload":"[{\"type\":\"Nobody\"}]"}"#.utf8))
        #expect(throws: DevToolsError.self) {
            try copy.load(wrong, ActionCodec(for: other.log.actions))
        }
        #expect(copy.log.staged.count == 5)
        let isLoaded = log.load(base: Shop(), staged: [], cursor: 0, nextID: .max)
        #expect(!isLoaded)
    }

    private func longLog(_ count: Int) -> HistoryLog<Shop> {
        var log = HistoryLog(from: Shop()) { [store] entries, state in
            store.log.replay(entries, from: state)
        }
        for _ in 0..<count { log.perform(HistoryEntry(id: 0, action: Note())) }
        return log
    }

    @Test func `a file is written piece by piece, and only actions and base count when it is read`()
        throws
    {
        let log = longLog(800)
        var sizes: [Int] = []
        var bytes: [UInt8] = []
        try log.writeDevToolsFile(codec) { piece in
            sizes.append(piece.count)
            bytes += piece
        }
        // 800 states with up to 800 rows.
        #expect(bytes.count > 900_000 && sizes.count > 12)
        #expect((sizes.max() ?? 0) < 80_000)
        var copy = History(of: makeShop()).log
        try copy.load(DevToolsFile(bytes, limits: DataLimits(elements: 15_000)), codec)
        #expect(copy.staged.count == 800)
        #expect(copy.shownState().left.items.count == 800)
    }

    @Test func `a file without states is as long as its actions, and leads to the same`() throws {
        var log = longLog(300)
        log.setActive(false, 5...9)
        log.jump(to: 200)
        let bytes = try log.devToolsFile(codec, states: false)
        #expect(!String(decoding: bytes, as: UTF8.self).contains("computedStates"))
        #expect(bytes.count < 300 * 200)
        var copy = History(of: makeShop()).log
        try copy.load(DevToolsFile(bytes), codec)
        #expect(copy.shownState() == log.shownState())
        #expect(try copy.devToolsFile(codec) == log.devToolsFile(codec))
    }

    @Test func `an error of who takes the pieces ends the writing`() {
        struct Full: Error {}
        #expect(throws: Full.self) {
            try longLog(1_000).writeDevToolsFile(codec) { _ in throw Full() }
        }
    }

    @Test(arguments: [
        ("[{},{\"a\":1}", "a list has no end"), ("[{},{\"a\":}]", "there is no value"),
        ("[{}\(String(repeating: ",1", count: 50))]", "more than 40 values"),
        ("[{},\(String(repeating: "[", count: 200))", "nested deeper than"),
    ])
    func `states that are not read have to be JSON, and not too many`(
        states: String, reason: String
    ) {
        let file = """
            {"actionsById":{},"stagedActionIds":[0],"committedState":{},"currentStateIndex":0,\
            "computedStates":\(states)}
            """
        #expect {
            try DevToolsFile(Array(file.utf8), limits: DataLimits(elements: 40))
        } throws: { "\($0)".contains(reason) }
    }

    @Test func `the file has what a script expects`() throws {
        let log = recorded().log
        let bytes = try log.devToolsFile(codec)
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
        let deep = Array(String(repeating: "[", count: 1 << 20).utf8)
        let time = processorTime {
            #expect {
                try DevToolsFile(large)
            } throws: { "\($0)".contains("more than the limit of") }
            #expect {
                try DevToolsFile(deep)
            } throws: { "\($0)".contains("nested deeper than 128 levels") }
        }
        #expect(time < .seconds(2))
    }

    @Test func `a large file is read no further than to the place where it goes too far`() {
        // A hundred million bytes in a list, and as many in fields that nobody asked for.
        for (head, tail) in [("[0", ",0"), (#"{"a":[]"#, #","a":{}"#)] {
            var bytes = Array(head.utf8)
            bytes.reserveCapacity(100 << 20)
            let unit = Array(String(repeating: tail, count: 1 << 16).utf8)
            while bytes.count < 90 << 20 { bytes += unit }
            let before = residentBytes()
            let time = processorTime {
                #expect {
                    try DevToolsFile(bytes, limits: DataLimits(bytes: .max, elements: 100_000))
                } throws: { "\($0)".contains("more than 100000 values") }
            }
            #expect(time < .seconds(10))
            // A hundred million values would take several times as much, and what runs beside this little.
            if let before, let after = residentBytes() { #expect(after - before < 1 << 30) }
        }
    }

    private func residentBytes() -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
            return nil
        }
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return pages.map { $0 * 4_096 }
    }

    @Test(arguments: [
        (#""currentStateIndex":-1"#, "`currentStateIndex`"),
        (#""currentStateIndex":1.5"#, "`currentStateIndex`"),
        (#""currentStateIndex":99999999999999999999"#, "`currentStateIndex`"),
        (#""currentStateIndex":0,"skippedActionIds":7"#, "`skippedActionIds`"),
        (#""currentStateIndex":0,"skippedActionIds":["1"]"#, "`skippedActionIds`"),
        (#""currentStateIndex":0,"nextActionId":1"#, "`nextActionId`"),
        (#""currentStateIndex":0,"nextActionId":"2""#, "`nextActionId`"),
        (#""currentStateIndex":0,"nextActionId":9223372036854775807"#, "`nextActionId`"),
        (#""currentStateIndex":0,"computedStates":[{}]"#, "`computedStates`"),
        (#""currentStateIndex":0,"stagedActionIds":[0,-1]"#, "`stagedActionIds[1]`"),
        (#""currentStateIndex":0,"stagedActionIds":[0,9007199254740993]"#, "`stagedActionIds[1]`"),
        (#""currentStateIndex":0,"actionsById":[]"#, "`actionsById`"),
        (#""currentStateIndex":0,"actionsById":{"1":7}"#, "`actionsById[1].action`"),
        (
            #""currentStateIndex":0,"actionsById":{"1":{"action":{"type":"a"},"timestamp":1e300}}"#,
            "`actionsById[1].timestamp`"
        ),
        (
            #""currentStateIndex":0,"actionsById":{"1":{"action":{"type":"a"},"timestamp":"now"}}"#,
            "`actionsById[1].timestamp`"
        ),
        (
            #""currentStateIndex":0,"actionsById":{"1":{"type":"RESET","action":{"type":"a"}}}"#,
            "`actionsById[1].type`"
        ),
        (#""currentStateIndex":0,"isLocked":"x""#, "`isLocked` is no truth value"),
        (#""currentStateIndex":0,"isPaused":1"#, "`isPaused` is no truth value"),
        (#""currentStateIndex":0,"computedStates":{}"#, "`computedStates` is no list"),
    ])
    func `one wrong field in a whole file is named`(change: String, place: String) {
        let text = """
            {"actionsById":{"1":{"action":{"type":"a"}}},"stagedActionIds":[0,1],
            "committedState":{},\(change)}
            """
        #expect {
            try DevToolsFile(Array(text.utf8))
        } throws: { "\($0)".contains(place) }
    }

    // MARK: Files on disk

    /// A log with everything that is special in a file; `scripts/check-devtools-files` reads it, too.
    @Test func `writes the file that a validator of its own checks`() throws {
        let store = store
        var log = HistoryLog(from: Shop(), spacing: 2) { entries, state in
            store.log.replay(entries, from: state)
        }
        let left = Address("left") ?? .root
        let actions: [(any Action, Address)] = [
            (add("pear \u{1}\"ü😀", 3), left), (add("huge", .max), .root), (Mood.good, .root),
            (Note(text: "type"), .root), (BasketAction.discount(50), left),
            (BasketAction.clear, left), (add("last", -9_007_199_254_740_993), left),
        ]
        for (index, (action, address)) in actions.enumerated() {
            log.perform(
                HistoryEntry(
                    id: 0, action: action, address: address,
                    origin: ActionOrigin(file: "Shop/Main.swift", line: index),
                    time: Timestamp(nanosecondsSince1970: 1_700_000_000_123_456_789)))
        }
        log.setActive(false, 2...2)
        log.setActive(false, 5...6)
        log.move(4, before: 1)
        log.jump(to: 3)
        log.lock()
        let bytes = try log.devToolsFile(codec)
        #expect(try Fixture.contents("Exchange/Files/shop.json", or: bytes) == bytes)
        var copy = HistoryLog(from: Shop()) { entries, state in
            store.log.replay(entries, from: state)
        }
        try copy.load(DevToolsFile(bytes), codec)
        #expect(copy.shownState() == log.shownState())
        #expect(copy.cursor == 3 && !copy.isLocked)
        #expect(copy.skipped == [2, 5, 6])
    }
}

/// A file beside the tests that shows what something writes.
enum Fixture {
    /// Its contents; with `ONWARD_WRITE_FIXTURES=1` it is written anew.
    static func contents(
        _ name: String, or bytes: [UInt8], file: String = #filePath
    ) throws -> [UInt8] {
        let tests = URL(fileURLWithPath: file).deletingLastPathComponent()
            .deletingLastPathComponent()
        let url = tests.appendingPathComponent(name)
        if ProcessInfo.processInfo.environment["ONWARD_WRITE_FIXTURES"] == "1" {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: url)
        }
        return Array(try Data(contentsOf: url))
    }
}

/// An action that can't be encoded, and that no feature handles.
private struct Undescribed: Action {}
