// SPDX-License-Identifier: MIT
#if Server

import Foundation
import Testing

@testable import OnwardServer

@Suite struct `Steps from one list of rows to another` {
    @Test(arguments: 1...200)
    func `lead there, and each row is drawn once at most`(seed: UInt64) throws {
        var dice = Dice(state: seed)
        let old = (0..<12).map { Row("\($0)") }
        var new = old.filter { _ in dice.roll(4) > 0 }
        for _ in 0..<dice.roll(4) where !new.isEmpty {
            new.insert(new.remove(at: dice.roll(new.count)), at: dice.roll(new.count))
        }
        for index in new.indices where dice.roll(4) == 0 {
            new[index] = Row(new[index].key, html: "new")
        }
        var former: [String: String] = [:]
        for index in new.indices where dice.roll(4) == 0 {
            // A new name, or that of a row which has gone.
            let gone = old.first { row in !new.contains { $0.key == row.key } }
            let name = dice.roll(2) == 0 ? "r\(index)" : gone?.key ?? "r\(index)"
            let origin = former.removeValue(forKey: new[index].key) ?? new[index].key
            former[name] = origin
            new[index] = Row(name, html: "renamed")
        }
        for id in 0..<dice.roll(4) {
            new.insert(Row("n\(id)"), at: dice.roll(new.count + 1))
        }
        let steps = RowStep.steps(
            from: old, to: new,
            origins: new.map { row in
                let isTaken = former.values.contains(row.key) && former[row.key] == nil
                let name = isTaken ? nil : former[row.key] ?? row.key
                return old.firstIndex { $0.key == name }
            })
        let all = try steps.map(Step.init)
        let names = all.drop { $0.html == nil && $0.after == nil }.map(\.row)
        #expect(Set(names).count == names.count)
        let result = try follow(steps, from: old)
        #expect(result.map(\.row) == new.map(\.key))
        #expect(result.map(\.html) == new.map(\.html.json))
    }

    @Test(
        arguments: [
            ([nil, nil], []), ([0, 1, 2], [0, 1, 2]), ([2, 0, 1], [1, 2]), ([1, 2, 0], [0, 1]),
            ([2, 1, 0], [2]), ([4, nil, 5, 0, 6], [0, 2, 4]), ([], []),
        ] as [([Int?], [Int])])
    func `leave the most rows in their places`(origins: [Int?], resting: [Int]) {
        let rises = RowStep.longestRise(origins)
        #expect(rises.indices.filter { rises[$0] } == resting)
    }

    private func Row(_ key: String, html: String = "old") -> RenderedRow {
        RenderedRow(key: key, html: RenderedHTML(html, placeholder: "-"), changed: 0)
    }

    /// What a step says.
    private struct Step {
        let row: String
        let html: String?
        /// The row before it, "" at the beginning, nil for one that stays.
        let after: String?
        /// The other name that the row has now.
        let now: String?

        init(_ step: RowStep) throws {
            let json = try JSONSerialization.jsonObject(with: Data(step.description.utf8))
            let fields = try #require(json as? [String: Any])
            row = try #require(fields["row"] as? String)
            now = fields["now"] as? String
            html = fields["html"] as? String
            after = fields["after"].map { $0 as? String ?? "" }
        }
    }

    /// Follows the steps as the script does.
    private func follow(
        _ steps: [RowStep], from old: [RenderedRow]
    ) throws -> [(row: String, html: String)] {
        var rows = old.map { (row: $0.key, html: $0.html.json) }
        let all = try steps.map(Step.init)
        var renamed: [Int: String] = [:]
        for step in all {
            guard let now = step.now else { continue }
            renamed[try #require(old.firstIndex { $0.key == step.row })] = now
        }
        let removed = Set(
            all.filter { $0.html == nil && $0.after == nil && $0.now == nil }.map(\.row))
        rows = rows.enumerated().filter { !removed.contains($1.row) }.map {
            (renamed[$0] ?? $1.row, $1.html)
        }
        for step in all where step.now == nil && !(step.html == nil && step.after == nil) {
            let place = rows.firstIndex { $0.row == step.row }
            if let html = step.html, let place { rows[place].html = html }
            guard let after = step.after else { continue }
            let row = try place.map { rows.remove(at: $0) } ?? (step.row, #require(step.html))
            let neighbour = rows.firstIndex { $0.row == after }
            let position = after.isEmpty ? 0 : try #require(neighbour) + 1
            rows.insert(row, at: position)
        }
        return rows
    }

    /// Numbers that are the same in each run.
    private struct Dice {
        var state: UInt64

        mutating func roll(_ sides: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % sides
        }
    }
}
#endif
