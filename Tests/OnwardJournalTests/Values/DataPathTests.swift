// SPDX-License-Identifier: MIT

import OnwardJournal
import Testing

struct DataPathTests {
    @Test func `each path has a text that means it, whatever its names are`() {
        for steps in [[], ["a"], ["a", "0"], ["a.b", "c\\d", ""], ["", ""], ["\\."]] as [[String]] {
            // One empty name has the text of the whole.
            #expect(DataPath(DataPath(steps).description).steps == steps)
        }
        #expect(DataPath("basket.items.0").steps == ["basket", "items", "0"])
        #expect(DataPath("a\\.b.c").steps == ["a.b", "c"])
        #expect(DataPath("").isEmpty)
    }
}
