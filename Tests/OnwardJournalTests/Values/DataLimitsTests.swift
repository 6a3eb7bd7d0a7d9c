// SPDX-License-Identifier: MIT

import Testing

@testable import OnwardJournal

struct DataLimitsTests {
    @Test(arguments: DataFormat.allCases, 0..<8)
    func `what is written within limits can be read within them`(
        format: DataFormat, size: Int
    ) throws {
        var nested: DataValue = 1
        for _ in 0..<size { nested = size.isMultiple(of: 2) ? [nested] : ["a": nested] }
        let many = DataValue.list(Array(repeating: 1, count: size))
        for value in [nested, many] {
            for limit in 0..<9 {
                for limits in [DataLimits(depth: limit), DataLimits(elements: limit)] {
                    let bytes = try? format.bytes(of: value, within: limits)
                    let read = try? format.value(of: format.bytes(of: value), limits: limits)
                    #expect(bytes == nil || read == value, "\(value) \(limits)")
                    // No value is refused that is within the limit.
                    #expect(bytes != nil || limit < max(size, 1), "\(value) \(limits)")
                }
            }
        }
        let bytes = format.bytes(of: many)
        let limits = DataLimits(bytes: bytes.count - 1)
        #expect(throws: DataError.self) { try format.bytes(of: many, within: limits) }
    }
}
