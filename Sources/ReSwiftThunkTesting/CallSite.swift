// SPDX-License-Identifier: MIT

/// The line of a test to which a failure belongs.
struct CallSite: Sendable {
    let fileID: StaticString
    let filePath: StaticString
    let line: UInt
    let column: UInt
}
