// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardCore
@testable import OnwardDiagnostics
@testable import TestSupport

@Suite struct OrderedLinesTests {
    @Test func `lines that come faster than they are written are counted, not kept`() {
        let lines = Log<String>()
        let held = Guarded<OrderedLines?>(nil)
        let ordered = OrderedLines { line in
            if line == "1", let ordered = held.withValue({ $0 }) {
                for version in 2...30_000 as ClosedRange<CommitVersion> {
                    ordered.end(ordered.begin(), at: version, "\(version)")
                }
            }
            lines.append(line)
        }
        held.withValue { $0 = ordered }
        ordered.end(ordered.begin(), at: 1, "1")
        let notice = "9999 lines are missing here: they came faster than written."
        #expect(lines.all.count == 20_002)
        #expect(lines.all.prefix(20_001).elementsEqual((1...20_001).map { "\($0)" }))
        #expect(lines.all.last == notice)
        ordered.end(ordered.begin(), at: 30_001, "30001")
        #expect(lines.all.last == "30001")
        held.withValue { $0 = nil }
    }
}
