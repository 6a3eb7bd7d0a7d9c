// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import Testing

struct StateDigestTests {
    private func digest(_ state: DataValue) -> StateDigest { StateDigest(of: state) }

    @Test func `has a hash for each part down to three levels`() {
        let digest = self.digest(["a": ["b": [["c": true]]]])
        #expect(digest.hashes.keys.sorted() == ["", "a", "a.b", "a.b.0"])
    }

    @Test(arguments: [(64, 65), (65, 1)])
    func `a list of more than 64 elements is hashed whole`(count: Int, hashes: Int) {
        let digest = self.digest(.list((0..<count).map { .text("\($0)") }))
        #expect(digest.hashes.count == hashes)
    }

    @Test func `names the first of the deepest parts that differ`() {
        let old = digest(["a": ["x": 1, "y": 2], "ab": 1, "b": ["x": 1]])
        #expect(old.firstDifference(from: old) == nil)
        let new = digest(["a": ["x": 1, "y": 3], "ab": 2, "b": ["x": 2]])
        #expect(new.firstDifference(from: old) == "a.y")
        #expect(digest(["ab": 1]).firstDifference(from: digest(["ab": 2])) == "ab")
        #expect(digest(true).firstDifference(from: digest(false)) == "")
    }

    @Test func `a part that is missing differs`() {
        let (old, new) = (digest(["a": ["x": 1]]), digest(["a": ["x": 1, "y": 2]]))
        #expect(new.firstDifference(from: old) == "a.y")
        #expect(old.firstDifference(from: new) == "a.y")
    }
}
