// SPDX-License-Identifier: MIT

import Onward

/// What a store of a tried cluster holds: how many lines it has, and a hash of them in their order.
package struct Lines: Codable, Sendable, Hashable {
    package private(set) var count = 0
    package private(set) var digest: UInt64 = 1

    package init() {}

    package init(count: Int, digest: UInt64) {
        (self.count, self.digest) = (count, digest)
    }

    package mutating func add(_ text: String) {
        count += 1
        for byte in text.utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
}

/// Adds a line.
package struct Line: Action, Codable {
    package let text: String

    package init(text: String) { self.text = text }
}
