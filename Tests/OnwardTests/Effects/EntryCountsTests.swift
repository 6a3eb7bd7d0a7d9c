// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardCore
@testable import OnwardEffects
@testable import TestSupport

/// The list of counts, compared with a dictionary.
@Suite struct EntryCountsTests {
    @Test(arguments: 0..<20 as Range<UInt64>)
    func `says which entries have effects, in whatever order these come and go`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var (counts, model) = (EntryCounts(), [CommitVersion: Int]())
        var newest: CommitVersion = 0
        for _ in 0..<1_000 {
            let any = CommitVersion.random(in: 0...(newest + 1), using: &generator)
            switch Int.random(in: 0..<8, using: &generator) {
            case 0..<3:
                newest += CommitVersion.random(in: 1...3, using: &generator)
                counts.add(newest)
                model[newest, default: 0] += 1
            case 3:
                counts.add(any)
                model[any, default: 0] += 1
                newest = max(newest, any)
            case 4..<7:
                guard let oldest = model.keys.min() else { continue }
                counts.remove(oldest)
                model[oldest] = model[oldest].flatMap { $0 > 1 ? $0 - 1 : nil }
            default:
                counts.remove(any)
                model[any] = model[any].flatMap { $0 > 1 ? $0 - 1 : nil }
            }
            #expect(counts.contains(any) == (model[any] != nil))
        }
        for version in 0...(newest + 1) {
            #expect(counts.contains(version) == (model[version] != nil))
        }
    }
}
