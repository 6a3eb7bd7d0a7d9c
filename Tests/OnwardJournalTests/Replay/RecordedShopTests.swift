// SPDX-License-Identifier: MIT
// Written by Replay.testSource.
// swift-format-ignore-file

import Onward
import OnwardTesting
import Testing

@Test func `entries 3 to 7 lead to what was recorded`() throws {
    let log = RecordedLog(
        from: #"{"left":{"items":[],"total":0},"right":{"items":["a"],"total":9}}"#,
        [
            .init(
                "BasketAction/add", ###"{"name":"pear \"\\#(x)\"## ü\n","price":3}"###, at: "left",
                gives: ###"{"left":{"items":["pear \"\\#(x)\"## ü\n"],"total":3},"right":{"items":["a"],"total":9}}"###),
            .init(
                "BasketAction/discount", #"{"value":50}"#,
                gives: ###"{"left":{"items":["pear \"\\#(x)\"## ü\n"],"total":2},"right":{"items":["a"],"total":5}}"###),
            .init(
                "Mood/good", "null",
                gives: ###"{"left":{"items":["pear \"\\#(x)\"## ü\n"],"total":2},"right":{"items":["a","good"],"total":5}}"###),
            .init(
                "Note", #"{"text":"hi"}"#,
                gives: ###"{"left":{"items":["pear \"\\#(x)\"## ü\n","hi"],"total":2},"right":{"items":["a","good"],"total":5}}"###),
        ])
    try log.check(by: makeShop())
}
