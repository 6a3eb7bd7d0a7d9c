// SPDX-License-Identifier: MIT

#if Testing
internal import IssueReporting
#endif

/// A reason why a test of a thunk fails.
enum ThunkIssue {
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
}
