// SPDX-License-Identifier: MIT

import OnwardInspection
import Testing

struct WordsTests {
    @Test(
        arguments: [
            (-5, "-5 ns"), (999, "999 ns"), (1_040, "1.0 µs"), (9_949, "9.9 µs"), (27_400, "27 µs"),
            (27_500, "28 µs"), (999_499, "999 µs"), (999_500, "1.0 ms"), (1_890_000, "1.9 ms"),
            (12_600_000, "13 ms"), (1_960_000_000, "2.0 s"), (90_000_000_000, "2 min"),
            (7_200_000_000_000, "2 h"), (.max, "2562047 h"),
        ])
    func `spans are rounded, so that parts make up their sum`(nanoseconds: Int64, text: String) {
        #expect(Words.span(nanoseconds) == text)
    }

    @Test func `what looks like an id is short, and a word is not`() {
        #expect(
            Words.withShortIDs("routing.11422647760415789550-3077: /game")
                == "routing.114226…3077: /game")
        #expect(
            Words.withShortIDs("a-feed-cafe-of-faded-facades: /deed")
                == "a-feed-cafe-of-faded-facades: /deed")
        #expect(Words.withShortIDs("") == "")
    }
}
