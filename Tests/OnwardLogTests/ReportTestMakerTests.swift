// SPDX-License-Identifier: MIT
#if All

import Foundation
import Onward
import OnwardJournal
import OnwardReports
import Testing

@testable import OnwardLog

/// Making a test of a report, with a compiler that answers as a test says.
struct ReportTestMakerTests {
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent(UUID().uuidString).path
    private let calls = Guarded<[[String]]>([])

    private struct Total: Codable, Sendable { var total = 0 }

    private func write(_ text: String, to name: String) throws {
        let url = URL(fileURLWithPath: "\(folder)/\(name)")
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    private func text(of name: String) -> String? {
        FileManager.default.contents(atPath: "\(folder)/\(name)").map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// A package with a plan, a test with a licence, and a report.
    private func package() throws -> String {
        try write(
            """
            {"target": "ShopTests", "imports": ["Shop"], "state": "Cart", "feature": "cart",
             "making": "Store(Cart()) { cart }",
             "promises": [{"name": "the total is \\"kept\\"", "expects": "state.total >= 0"}]}
            """, to: "onward-report.json")
        try write(
            "// CartTests.swift\n// Copyright 2026 Shop Ltd.\n\nimport Testing\n",
            to: "Tests/ShopTests/CartTests.swift")
        let start = try StateCodec<Total>().encode(
            Total(), at: 0, by: FeatureFingerprint(rawValue: 1))
        let report = Report(
            from: start,
            [JournalEntry(version: 1, name: "CartAction/clear", payload: [])])
        let path = "\(folder)/my-problem.onwardreport"
        try report.write(to: path)
        return path
    }

    /// A maker whose finder finds a source, or nothing, and whose test has an exit code.
    private func maker(found source: String?, status: Int32) -> ReportTestMaker {
        ReportTestMaker(in: folder, arguments: ["--traits", "X"]) { [folder, calls] arguments in
            calls.withValue { $0.append(arguments) }
            guard arguments.contains(ReportTestPlan.finderName) else {
                return (status, "✘ Test x recorded an issue at y\nTest run with 1 test failed")
            }
            let finder = String(
                decoding: FileManager.default.contents(
                    atPath: "\(folder)/Tests/ShopTests/OnwardReportMakeTest.swift") ?? Data(),
                as: UTF8.self)
            if let source,
                let range = finder.range(
                    of: #"(?<=fileURLWithPath: ")[^"]+"#, options: .regularExpression)
            {
                try Data(source.utf8).write(to: URL(fileURLWithPath: String(finder[range])))
            }
            return (0, "Test run with 1 test passed")
        }
    }

    @Test func `a report that breaks a promise leaves a red test with the package's own licence`()
        throws
    {
        let path = try package()
        let source = "@Test func x() {\n        .init(a),\n        .init(b),\n}\n"
        let outcome = try maker(found: source, status: 1).make(path)
        let file = "\(folder)/Tests/ShopTests/Reports/MyProblemTests.swift"
        #expect(
            outcome
                == .red(
                    file: file, entries: 2, of: 1, failure: "✘ Test x recorded an issue at y"))
        #expect(outcome.exitCode == 1)
        #expect(
            text(of: "Tests/ShopTests/Reports/MyProblemTests.swift")
                == "// MyProblemTests.swift\n// Copyright 2026 Shop Ltd.\n" + source)
        #expect(text(of: "Tests/ShopTests/OnwardReportMakeTest.swift") == nil)
        #expect(
            calls.withValue { $0 }.last == [
                "test", "--package-path", folder, "--filter", "MyProblemTests.swift", "--traits",
                "X",
            ])
    }

    @Test func `a report without a fault leaves nothing`() throws {
        let outcome = try maker(found: nil, status: 1).make(try package())
        #expect(outcome == .noFault(entries: 1) && outcome.exitCode == 0)
        #expect(text(of: "Tests/ShopTests/Reports/MyProblemTests.swift") == nil)
    }

    @Test func `what can't be read or built is said, with an exit code of its own`() throws {
        let path = try package()
        func problem(_ maker: ReportTestMaker, _ path: String) -> LogProblem? {
            do { _ = try maker.make(path) } catch { return error as? LogProblem }
            return nil
        }
        let broken = ReportTestMaker(in: folder) { _ in
            (1, "a\nx.swift:1: error: no such module\nb")
        }
        let build = problem(broken, path)
        #expect(build?.exitCode == 2)
        #expect(build?.description.contains("error: no such module") == true)
        #expect(text(of: "Tests/ShopTests/OnwardReportMakeTest.swift") == nil)
        #expect(problem(maker(found: nil, status: 0), "\(folder)/nothing")?.exitCode == 2)
        try FileManager.default.removeItem(atPath: "\(folder)/onward-report.json")
        let missing = problem(maker(found: nil, status: 0), path)
        #expect(missing?.description.contains("\"promises\"") == true)
    }

    @Test func `the finder asks each promise of the app's own reducers`() throws {
        _ = try package()
        let plan = try ReportTestPlan.read(in: folder)
        let source = plan.finder(for: "/a/b.onwardreport", named: "b", writing: "/tmp/c.swift")
        #expect(source.contains("@testable import Shop\n"))
        #expect(source.contains("report.shortest(in: cart) { (state: Cart) in"))
        #expect(source.contains(##"#"the total is "kept", in b"#, "state.total >= 0""##))
        #expect(source.contains("isKept: { (state: Cart) in state.total >= 0 })"))
    }
}
#endif
