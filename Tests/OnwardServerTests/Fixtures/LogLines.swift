// SPDX-License-Identifier: MIT
#if Server

import Logging
import Synchronization

/// What was logged, line by line.
final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func add(_ line: String) { lines.withLock { $0.append(line) } }
}

/// Collects lines of level notice and above.
struct LineCollector: LogHandler {
    let lines: LogLines
    var logLevel = Logger.Level.notice
    var metadata: Logger.Metadata = [:]

    init(lines: LogLines) { self.lines = lines }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        lines.add("\(event.message) \(event.metadata ?? [:])")
    }
}
#endif
