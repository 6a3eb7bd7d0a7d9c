// SPDX-License-Identifier: MIT

import Foundation
import Onward
import Testing

@testable import OnwardJournal
@testable import TestSupport

/// Values that use the containers at random, beside Foundation's coders.
struct RandomShapesTests {
    @Test(arguments: 0..<40 as Range<UInt64>)
    func `what Foundation's coders keep is kept, what they lose is kept or refused`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        var counts = (kept: 0, refused: 0)
        for _ in 0..<50 {
            let plan = plan(&generator, levels: 4)
            let json = keeps(plan) {
                try JSONDecoder().decode(Scripted.self, from: JSONEncoder().encode($0))
            }
            let list = keeps(plan) {
                try PropertyListDecoder()
                    .decode(Scripted.self, from: PropertyListEncoder().encode($0))
            }
            for format in DataFormat.allCases {
                do {
                    let read = try copy(Scripted(plan), format)
                    #expect(read.plan == plan, "\(format) lost something of \(plan)")
                    counts.kept += 1
                } catch let error as JournalError where error.code == .invalid {
                    #expect(!json || !list, "\(format) refused \(plan): \(error)")
                    counts.refused += 1
                } catch let error {
                    Issue.record("\(format) can't read \(plan): \(error)")
                }
            }
        }
        #expect(counts.kept > 40)
    }

    private func keeps(_ plan: Scripted.Plan, _ copy: (Scripted) throws -> Scripted) -> Bool {
        Scripted.$ambient.withValue(Scripted.Ambient()) {
            Scripted.ambient.plan = plan
            let encoded = Scripted(plan)
            return (try? copy(encoded)) == encoded
        }
    }

    private func copy(_ value: Scripted, _ format: DataFormat) throws -> Scripted {
        try Scripted.$ambient.withValue(Scripted.Ambient()) {
            let codec = StateCodec<Scripted>(format: format)
            let snapshot = try codec.encode(value, at: 1, by: FeatureFingerprint(rawValue: 1))
            Scripted.ambient.plan = value.plan
            return try codec.decode(snapshot)
        }
    }

    private func plan(_ generator: inout SeededGenerator, levels: Int) -> Scripted.Plan {
        func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &generator) == 0 }
        switch Int.random(in: 0..<(levels > 0 ? 14 : 7), using: &generator) {
        case 0: return .truth(Bool.random(using: &generator))
        case 1: return .integer(Int.random(in: .min ... .max, using: &generator))
        case 2: return .number(Double.random(in: -1...1, using: &generator))
        case 3:
            return .text(
                ["", "a", "NaN", "é", "1", "‹redacted›"].randomElement(using: &generator) ?? "")
        case 4: return .data(Data([1, 2, 3].prefix(Int.random(in: 0...3, using: &generator))))
        case 5:
            return .date(
                Date(timeIntervalSinceReferenceDate: .random(in: 0...1e9, using: &generator)))
        case 6: return chance(3) ? .null : chance(8) ? .nothing : .integer(7)
        case 7: return .single(plan(&generator, levels: levels - 1))
        case 8..<12:
            var fields: [Scripted.Field] = []
            for _ in 0..<Int.random(in: 0...12, using: &generator) {
                var key =
                    ["a", "b", "c", "super", "_0", "value", "é"].randomElement(using: &generator)
                    ?? ""
                // The same name twice only now and then, and never where other encoders stop.
                let isTwice = fields.contains { $0.key == key }
                if isTwice, !chance(12) { key = "k\(fields.count)" }
                let inner = plan(&generator, levels: levels - 1)
                var way = way(&generator)
                // What isn't encoded can't be found twice.
                if fields.contains(where: { $0.key == key && $0.way != .absent }),
                    [.nested, .nestedTwice, .absent].contains(way)
                {
                    way = .encode
                }
                if fields.contains(where: { $0.key == key && $0.way == .absent }) { continue }
                fields.append(.init(key: key, way: way, plan: inner))
            }
            return .fields(fields)
        default:
            return .elements(
                (0..<Int.random(in: 0...5, using: &generator)).map { _ in
                    .init(way: way(&generator), plan: plan(&generator, levels: levels - 1))
                })
        }
    }

    private func way(_ generator: inout SeededGenerator) -> Scripted.Way {
        switch Int.random(in: 0..<24, using: &generator) {
        case 0..<8: .encode
        case 8..<12: .optional
        case 12, 13: .absent
        case 14..<17: .nested
        case 17..<20: .nestedTwice
        case 20, 21: .inherited
        case 22: .twoOptionals
        default: Bool.random(using: &generator) ? .noOptional : .nilInside
        }
    }
}
