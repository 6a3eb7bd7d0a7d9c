// SPDX-License-Identifier: MIT

#if Testing
internal import IssueReporting

/// The test in which something was made, for failures that are found off its task: by a `deinit`, or in code that a
/// queue or a detached task runs.
///
/// Swift Testing knows a test by a value of its task. Elsewhere there is none, and the library of issues would fall
/// back to a way that fails no test. So a task that was made by the test's own, and has its values, reports there.
final class OwningTest: Sendable {
    private let reports: AsyncStream<@Sendable () -> Void>.Continuation?

    init() {
        guard Self.isKnownHere else {
            reports = nil
            return
        }
        let (stream, reports) = AsyncStream.makeStream(of: (@Sendable () -> Void).self)
        self.reports = reports
        Task {
            for await report in stream { report() }
        }
    }

    deinit { reports?.finish() }

    /// Fails the test at a line.
    func report(_ message: String, at callSite: CallSite) {
        guard let reports, !Self.isKnownHere else { return Issue.report(message, at: callSite) }
        reports.yield { Issue.report(message, at: callSite) }
    }

    /// Whether the task that runs here is a test's.
    private static var isKnownHere: Bool { TestContext.current?.isSwiftTesting == true }
}
#endif
