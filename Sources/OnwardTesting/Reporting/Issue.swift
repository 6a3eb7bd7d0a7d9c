// SPDX-License-Identifier: MIT

#if Testing
import IssueReporting
#endif

/// A reason why a test fails.
enum Issue {
    /// Fails the test at a line, in Swift Testing and in XCTest.
    ///
    /// Without the trait `Testing` there is no door to the test libraries: the program stops with the
    /// message instead.
    static func report(_ message: String, at place: SourcePlace) {
        #if Testing
        reportIssue(
            message, fileID: place.fileID, filePath: place.filePath, line: place.line,
            column: place.column)
        #else
        fatalError(message, file: place.filePath, line: place.line)
        #endif
    }

    /// The last of some values, for a message.
    static func list<Value>(_ values: [Value]) -> String {
        guard !values.isEmpty else { return "none" }
        let shown = values.suffix(10).map { "\($0)" }.joined(separator: ", ")
        return values.count > 10 ? "…, \(shown)" : shown
    }
}
