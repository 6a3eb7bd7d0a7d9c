// SPDX-License-Identifier: MIT

import Foundation

/// Faults that are known and not mended yet: histories that show nothing else don't stop a run, but each
/// run says how many there were.
struct OpenFaults {
    /// How a fault begins, as it is printed.
    private let beginnings: [String]

    /// The lines of a file; empty ones and those that begin with "#" are left out.
    init(file: String?) throws {
        guard let file else {
            beginnings = []
            return
        }
        beginnings = try String(contentsOfFile: file, encoding: .utf8)
            .split(separator: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && !$0.hasPrefix("#") }
    }

    /// Whether all of some faults are known.
    func contain(_ faults: [String]) -> Bool {
        faults.allSatisfy { fault in beginnings.contains { fault.hasPrefix($0) } }
    }
}
