// SPDX-License-Identifier: MIT

import Dispatch
import Foundation

/// What a server's process is ordered to do, line by line.
package enum Orders {
    /// Calls with each order and its number on a thread of its own; ends the process when there are no more.
    package static func obey(_ act: @escaping @Sendable (_ order: String, _ count: Int) -> Void) {
        DispatchQueue(label: "orders").async {
            while let words = readLine()?.split(separator: " ") {
                guard let order = words.first else { continue }
                act(String(order), words.last.flatMap { Int($0) } ?? 0)
            }
            // The process that gave the orders has gone.
            exit(0)
        }
    }

    /// Answers an order with a line.
    package static func answer(_ line: String) {
        // Not by print: flushing waits for the reader of the standard input.
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
