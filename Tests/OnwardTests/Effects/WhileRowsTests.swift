// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardCore
@testable import OnwardEffects

@Suite struct WhileRowsTests {
    private var rows = WhileRows<Int, String>()

    @Test
    mutating func `a change stops what went or changed, then starts what came or changed`() {
        #expect(text(rows.change([(1, "a"), (2, "b"), (3, "c")])) == ["+1a", "+2b", "+3c"])
        #expect(text(rows.change([(2, "x"), (3, nil), (4, "d")])) == ["-2b", "-3c", "+2x", "+4d"])
        #expect(rows.keys.sorted() == [1, 2, 4])
        #expect(rows.value(of: 2) == "x")
    }

    @Test
    mutating func `a pause stops all, and rows that then have a value start after it`() {
        _ = rows.change([(1, "a"), (2, "b")])
        #expect(text(rows.pause()).sorted() == ["-1a", "-2b"])
        #expect(text(rows.pause()) == [])
        #expect(text(rows.change([(1, nil), (3, "c")])) == [])
        #expect(text(rows.resume()).sorted() == ["+2b", "+3c"])
        #expect(text(rows.resume()) == [])
    }

    @Test
    func `one that begins paused starts nothing before it is resumed`() {
        var rows = WhileRows<Int, String>(isPaused: true)
        #expect(text(rows.change([(1, "a")])) == [])
        #expect(text(rows.pause()) == [])
        #expect(text(rows.resume()) == ["+1a"])
    }

    private func text(_ steps: [WhileRows<Int, String>.Step]) -> [String] {
        steps.map { step in
            switch step {
            case .start(let key, let value): "+\(key)\(value)"
            case .stop(let key, let value): "-\(key)\(value)"
            }
        }
    }
}
