// SPDX-License-Identifier: MIT

#if Testing
import IssueReporting
import Onward

/// What the test kit would have failed a test with.
final class Issues: IssueReporter {
    struct Found: Sendable {
        let text: String
        let line: Int
    }

    private let kept = Guarded<[Found]>([])

    var all: [Found] { kept.withValue { $0 } }
    var texts: [String] { all.map(\.text) }

    func reportIssue(
        _ message: @autoclosure () -> String?, severity: IssueSeverity, fileID: StaticString,
        filePath: StaticString, line: UInt, column: UInt
    ) {
        let found = Found(text: message() ?? "", line: Int(line))
        kept.withValue { $0.append(found) }
    }

    /// The issues of a test inside the test.
    static func found(in test: () async -> Void) async -> Issues {
        let issues = Issues()
        await withIssueReporters([issues]) { await test() }
        return issues
    }
}
#endif
