// SPDX-License-Identifier: MIT
#if All

internal import Foundation
internal import OnwardJournal

/// What an app says of itself so that reports become tests: `onward-report.json` beside its
/// `Package.swift`.
///
/// ```json
/// {"target": "ShopCoreTests", "imports": ["ShopCore"], "state": "Cart", "feature": "cart",
///  "making": "Store(Cart()) { cart }",
///  "promises": [{"name": "the total is never negative", "expects": "state.total >= 0"}]}
/// ```
struct ReportTestPlan: Codable, Sendable, Hashable {
    /// What the app promises of each of its states.
    struct Promise: Codable, Sendable, Hashable {
        /// The promise in words, which become the name of the test.
        var name: String
        /// A Swift condition on `state`.
        var expects: String
    }

    /// The test target: its folder is below `Tests`.
    var target: String
    /// The modules of the app.
    var imports: [String]
    /// The type of the state.
    var state: String
    /// A Swift expression for the features.
    var feature: String
    /// A Swift expression for a store with them.
    var making: String
    /// The promises, the most important one first.
    var promises: [Promise]

    static let fileName = "onward-report.json"

    /// Reads the plan of a package.
    ///
    /// - Throws: ``LogProblem`` with the exit code 2 that names the file and what it has to say.
    static func read(in package: String) throws(LogProblem) -> ReportTestPlan {
        let path = package + "/" + fileName
        guard let data = FileManager.default.contents(atPath: path) else {
            throw LogProblem(
                exitCode: 2,
                description: """
                    \(path) is missing. It says where tests go and what the app promises, such as \
                    {"target": "ShopCoreTests", "imports": ["ShopCore"], "state": "Cart", "feature": "cart", \
                    "making": "Store(Cart()) { cart }", "promises": [{"name": "the total is never negative", \
                    "expects": "state.total >= 0"}]}.
                    """)
        }
        do {
            let plan: ReportTestPlan = try DataFormat.json.value(of: Array(data)).decoded()
            guard !plan.promises.isEmpty else {
                throw LogProblem(exitCode: 2, description: "\(path) has no promises.")
            }
            return plan
        } catch {
            throw error as? LogProblem
                ?? LogProblem(exitCode: 2, description: "\(path) can't be read: \(error)")
        }
    }

    /// The source of a test that looks for the first promise that a report breaks, and writes the
    /// test of that.
    ///
    /// - Parameters:
    ///   - report: The path of the report.
    ///   - name: The name of the report in the name of the test.
    ///   - output: Where the test is written.
    /// - Returns: The contents of a source file.
    func finder(for report: String, named name: String, writing output: String) -> String {
        let imports = imports.map { "@testable import \($0)\n" }.joined()
        let modules = self.imports.map(Replay.literal).joined(separator: ", ")
        let searches = promises.map { promise in
            """
                if try find(
                    \(Replay.literal("\(promise.name), in \(name)")), \(Replay.literal(promise.expects)),
                    isKept: { (state: \(state)) in \(promise.expects) })
                { return }
            """
        }
        return """
            // Written by onward report make-test, which removes it again.

            import Foundation
            import Onward
            import OnwardReports
            import Testing
            \(imports)
            @Test func \(Self.finderName)() throws {
                let report = try Report(contentsOf: \(Replay.literal(report)), limit: 256 << 20)
                func find(
                    _ name: String, _ expectation: String, isKept: (\(state)) -> Bool
                ) throws -> Bool {
                    let shortest: ShortestLog<\(state)>
                    do throws(ReportError) {
                        shortest = try report.shortest(in: \(feature)) { (state: \(state)) in
                            !isKept(state)
                        }
                    } catch {
                        guard error.code == .noFault else { throw error }
                        return false
                    }
                    let source = try shortest.testSource(
                        named: name, importing: [\(modules)],
                        making: \(Replay.literal(making)), expecting: expectation)
                    try Data(source.utf8).write(to: URL(fileURLWithPath: \(Replay.literal(output))))
                    return true
                }
            \(searches.joined(separator: "\n"))
            }

            """
    }

    /// The name of that test.
    static let finderName = "onwardReportMakeTest"
}
#endif
