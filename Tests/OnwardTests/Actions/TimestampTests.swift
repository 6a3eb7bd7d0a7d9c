// SPDX-License-Identifier: MIT

import Onward
import Testing

@Suite struct TimestampTests {
    private let noon = Timestamp(nanosecondsSince1970: 1_000_000_000_000)

    @Test
    func `moments are a duration apart, to the nanosecond`() {
        #expect(noon + .seconds(90) - noon == .seconds(90))
        #expect(noon - .nanoseconds(1) < noon)
        #expect(noon - (noon + .milliseconds(5)) == .milliseconds(-5))
        #expect(noon - .seconds(2000) == Timestamp(nanosecondsSince1970: -1_000_000_000_000))
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(10_000_000_000)])
    func `a moment too far away is the last one, or the first one`(far: Duration) {
        #expect(noon + far == Timestamp(nanosecondsSince1970: .max))
        #expect(noon - far == Timestamp(nanosecondsSince1970: .min))
    }
}
