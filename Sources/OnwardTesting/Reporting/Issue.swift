// SPDX-License-Identifier: MIT

#if Testing
import IssueReporting
#endif

/// A reason why a test fails.
enum Issue {
    /// Fails the test at a line, in Swift Testing and in XCTest.
    ///
    /// Without the trait `Testing` there is no way to the test libraries: the program stops with the
    /// message instead.
    static func report(_ message: String, at callSite: CallSite) {
        #if Testing
        reportIssue(
            message, fileID: callSite.fileID, filePath: callSite.filePath, line: callSite.line,
            column: callSite.column)
        #else
        fatalError(message, file: callSite.filePath, line: callSite.line)
        #endif
    }

    /// The last of some values, for a message.
    static func list<Value>(_ values: [Value]) -> String {
        guard !values.isEmpty else { return "none" }
        let shown = values.suffix(10).map { "\($0)" }.joined(separator: ", ")
        return values.count > 10 ? "…, \(shown)" : shown
    }
}
