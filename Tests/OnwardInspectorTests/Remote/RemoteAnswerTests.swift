// SPDX-License-Identifier: MIT
#if Server

import OnwardInspection
import OnwardJournal
import Testing

@testable import OnwardInspector

/// What an app says that is no app of ours.
struct RemoteAnswerTests {
    private func answer(_ json: String, to question: some LogQuestion, status: Int = 200)
        -> RemoteAnswer
    {
        RemoteAnswer(InspectorReply(status: status, bytes: Array(json.utf8)), to: question)
    }

    private func reason(_ answer: RemoteAnswer) -> String? {
        guard case .failed(let reason) = answer else { return nil }
        return reason
    }

    @Test(
        arguments: [
            "", "nonsense", "[]", "{}", #"{"entries": 7}"#, #"{"entries": [{}]}"#,
            String(repeating: "[", count: 100_000), #"{"a": "#,
        ])
    func `what can't be read is contained, with the reason`(json: String) {
        #expect(
            reason(answer(json, to: EntriesQuestion(EntryQuery())))?.contains("can't be read")
                == true)
    }

    @Test func `an answer without bounds is refused before it is looked at`() {
        let giant = #"{"text": ""# + String(repeating: "x", count: 10 << 20) + #""}"#
        let reason = reason(answer(giant, to: StateTextQuestion(after: 1, DataPath(), limit: 9)))
        #expect(reason?.contains("bytes") == true)
    }

    @Test func `numbers become such as can be reckoned with, and ids are there once`() throws {
        var line = EntryLine()
        (line.id, line.moment, line.time, line.delta) = (.min, .max, .max, .min)
        var page = EntryPage()
        page.entries = [line, line]
        (page.earlier, page.later, page.examined) = (.min, .max, .max)
        let json = String(
            decoding: DataFormat.json.bytes(of: try DataValue(encoding: page)), as: UTF8.self)
        guard case .known(let read as EntryPage) = answer(json, to: EntriesQuestion(EntryQuery()))
        else {
            Issue.record("It was not read.")
            return
        }
        #expect(read.entries.count == 1)
        #expect(read.entries[0].id == 0 && read.entries[0].moment == 1 << 52)
        #expect(read.earlier == 0 && read.later == 1 << 52)
        var summary = LogSummary()
        (summary.count, summary.cursor, summary.taken) = (-1, .max, .min)
        #expect(summary.bounded == LogSummary())
    }

    @Test func `times of effects lie on their axis, whatever an app says`() throws {
        let json = #"""
            {"start": 9223372036854775807, "end": -5, "omitted": -1, "entries": [{"entry": -1, "time": -9}], "effects":
            [{"description": "", "name": "", "origin": "", "start": 5, "end": -9223372036854775808, "phase": "x", "isKeptByState": false}]}
            """#
        guard case .known(let page as EffectPage) = answer(json, to: EffectsQuestion(EffectQuery()))
        else {
            Issue.record("It was not read.")
            return
        }
        #expect(page.start == page.end && page.omitted == 0)
        #expect(page.effects.map(\.end) == [5])
        #expect(page.entries.map(\.time) == [0])
    }

    @Test func `what is missing is no fault, and what is refused says why`() {
        let entry = EntryQuestion(7)
        let missing = #"{"message": "It was like this from the beginning."}"#
        guard case .none = answer(missing, to: entry, status: 404) else {
            Issue.record("It is a fault.")
            return
        }
        // Of a search, that is what was found.
        let search = ShortestTestQuestion(to: 7, DataPath())
        #expect(reason(answer(missing, to: search, status: 404))?.contains("beginning") == true)
        #expect(
            reason(answer(#"{"message": "Too long."}"#, to: entry, status: 409)) == "Too long.")
        #expect(reason(answer("{}", to: entry, status: 500))?.contains("500") == true)
    }
}
#endif
