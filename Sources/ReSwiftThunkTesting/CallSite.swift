// SPDX-License-Identifier: MIT

/// The line of a test that a failure belongs to.
struct CallSite: Sendable {
    let fileID: StaticString
    let filePath: StaticString
    let line: UInt
    let column: UInt
}
