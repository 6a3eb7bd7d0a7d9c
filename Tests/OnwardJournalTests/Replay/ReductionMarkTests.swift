// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardJournal
import Testing

struct ReductionMarkTests {
    private let path = FileManager.default.temporaryDirectory
        .appendingPathComponent("onward-mark-\(UUID().uuidString)").path

    @Test func `a file that is made anew takes nothing from the mark that still has the old one`()
        throws
    {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let (old, room) = try #require(ReductionMark.mapped(at: path, room: 1 << 16))
        let (new, _) = try #require(ReductionMark.mapped(at: path, room: 0))
        new.begin(7)
        // The last page of the old file, of which the new one has none.
        room.storeBytes(of: 1, toByteOffset: 65_528, as: UInt64.self)
        old.begin(3)
        #expect(try #require(ReductionMark.read(at: path, room: 0)).mark.version == 6)
    }
}
