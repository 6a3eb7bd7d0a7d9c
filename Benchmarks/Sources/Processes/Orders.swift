// SPDX-License-Identifier: MIT

import Dispatch
import Foundation

/// What a server's process is ordered to do, line by line, by the ``ServerProcess`` that started it.
///
/// | order | answer |
/// |---|---|
/// | (none) | `listening PORT` |
/// | `memory` | `memory BYTES` |
/// | `commit COUNT` | `commit VERSION NANOSECONDS` for each |
package enum Orders {
    /// Obeys orders on a thread of its own; ends the process when there are no more.
    ///
    /// - Parameters:
    ///   - spacing: The least time between two commits, in nanoseconds.
    ///   - commit: Commits, and returns the version; it is given how many commits of the order came before.
    package static func obey(
        spacing: Int = 0, _ commit: @escaping @Sendable (_ index: Int) -> Int = { $0 }
    ) {
        DispatchQueue(label: "orders").async {
            while let words = readLine()?.split(separator: " ") {
                switch words.first {
                case "memory": answer("memory \(Machine.residentMemory)")
                case "commit":
                    self.commit(words.last.flatMap { Int($0) } ?? 0, spacing: spacing, commit)
                default: break
                }
            }
            // The process that gave the orders has gone.
            exit(0)
        }
    }

    private static func commit(_ count: Int, spacing: Int, _ commit: (Int) -> Int) {
        let start = Machine.now
        for index in 0..<count {
            let wait = start + index * spacing - Machine.now
            if wait > 0 { Machine.sleep(milliseconds: wait / 1_000_000) }
            let now = Machine.now
            answer("commit \(commit(index)) \(now)")
        }
    }

    /// Answers an order with a line.
    package static func answer(_ line: String) {
        // Not by print: flushing waits for the reader of the standard input.
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
