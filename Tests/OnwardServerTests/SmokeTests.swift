// SPDX-License-Identifier: MIT
import Onward
import Testing

@Test func `a plain build works`() { #expect(Bool(true)) }
