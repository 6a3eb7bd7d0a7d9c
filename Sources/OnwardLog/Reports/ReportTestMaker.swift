// SPDX-License-Identifier: MIT
#if All

internal import Foundation
internal import OnwardJournal
internal import OnwardReports

/// Turns reports into failing tests of an app's package.
///
/// The app's own reducers are needed to find the fault, so it is found by a test in the app's test
/// target: that is written, run and removed, and leaves the test of the fault, which is run as well.
package struct ReportTestMaker: Sendable {
    /// Runs `swift` with arguments; returns its exit code and its output.
    package typealias Run =
        @Sendable (_ arguments: [String]) throws -> (status: Int32, output: String)

    /// What became of a report.
    package enum Outcome: Sendable, Hashable {
        /// It breaks a promise: the test and how it fails.
        case red(file: String, entries: Int, of: Int, failure: String)
        /// The test of its fault passes.
        case green(file: String)
        /// No promise of the app is broken after any of its entries.
        case noFault(entries: Int)

        /// The exit code of a command with this outcome.
        package var exitCode: Int32 {
            if case .red = self { return 1 }
            return 0
        }
    }

    private let package: String
    private let arguments: [String]
    private let run: Run

    /// Creates a maker.
    ///
    /// - Parameters:
    ///   - package: The folder of the app's package.
    ///   - arguments: Further arguments for `swift test`, such as traits.
    ///   - run: Runs `swift`.
    package init(
        in package: String, arguments: [String] = [], run: @escaping Run = ReportTestMaker.swift
    ) {
        self.package = package
        self.arguments = arguments
        self.run = run
    }

    /// Makes the test of a report, and runs it.
    ///
    /// - Parameter path: The report.
    /// - Returns: What became of it.
    /// - Throws: An error with an exit code, if the report or the plan can't be read, or the package
    ///   doesn't build.
    package func make(_ path: String) throws -> Outcome {
        let report: Report
        do {
            report = try Report(contentsOf: path, limit: 256 << 20)
        } catch {
            throw LogProblem(exitCode: 2, description: "\(path): \(error.description)")
        }
        let plan = try ReportTestPlan.read(in: package)
        let folder = "\(package)/Tests/\(plan.target)"
        guard FileManager.default.fileExists(atPath: folder) else {
            throw LogProblem(
                exitCode: 2,
                description: "\(folder) is missing: \"target\" names the test target in Tests.")
        }
        let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        let file = Self.fileName(for: name)
        let header = try Self.header(of: folder, for: file)
        guard let source = try find(path, name, plan, folder) else {
            return .noFault(entries: report.entries.count)
        }
        let target = "\(folder)/Reports/\(file)"
        try Self.write(header + source, to: target)
        let (status, output) = try run(test(only: file))
        try Self.check(output, status)
        guard status != 0 else { return .green(file: target) }
        return .red(
            file: target, entries: source.components(separatedBy: "        .init(").count - 1,
            of: report.entries.count, failure: Self.failure(in: output))
    }

    /// Runs the test that looks for the fault; nil if there is none.
    private func find(
        _ path: String, _ name: String, _ plan: ReportTestPlan, _ folder: String
    ) throws -> String? {
        let file = "\(folder)/OnwardReportMakeTest.swift"
        let output = FileManager.default.temporaryDirectory
            .appendingPathComponent("onward-report-\(UUID().uuidString).swift").path
        defer {
            try? FileManager.default.removeItem(atPath: file)
            try? FileManager.default.removeItem(atPath: output)
        }
        let report = URL(fileURLWithPath: path).standardizedFileURL.path
        try Self.write(plan.finder(for: report, named: name, writing: output), to: file)
        let (status, text) = try run(test(only: ReportTestPlan.finderName))
        try Self.check(text, status)
        guard status == 0 else {
            throw LogProblem(
                exitCode: 2,
                description: "The fault can't be looked for: \(Self.failure(in: text))")
        }
        return FileManager.default.contents(atPath: output).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    private func test(only filter: String) -> [String] {
        ["test", "--package-path", package, "--filter", filter] + arguments
    }

    // MARK: Files

    /// The name of a file for a report: `problem-3.onwardreport` is `Problem3Tests.swift`.
    static func fileName(for report: String) -> String {
        let words = report.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        return (name.isEmpty ? "Report" : String(name.prefix(64))) + "Tests.swift"
    }

    /// The licence that the target's own files begin with; empty if they have none.
    static func header(of folder: String, for file: String) throws -> String {
        let names =
            (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String })
            ?? []
        for name in names.sorted() where name.hasSuffix(".swift") {
            guard !name.hasPrefix("Reports/"),
                let data = FileManager.default.contents(atPath: "\(folder)/\(name)")
            else { continue }
            let lines = String(decoding: data, as: UTF8.self).split(
                separator: "\n", omittingEmptySubsequences: false)
            let comment = lines.prefix { $0.hasPrefix("//") }.joined(separator: "\n")
            let words = comment.lowercased()
            guard ["spdx", "copyright", "licen"].contains(where: words.contains) else { continue }
            let own = URL(fileURLWithPath: name).lastPathComponent
            return comment.replacing(own, with: file) + "\n"
        }
        return ""
    }

    private static func write(_ text: String, to path: String) throws {
        do {
            let url = URL(fileURLWithPath: path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        } catch {
            throw LogProblem(exitCode: 2, description: "\(path) can't be written: \(error)")
        }
    }

    // MARK: Output

    /// - Throws: That no test was run, with the end of the output.
    private static func check(_ output: String, _ status: Int32) throws(LogProblem) {
        let isRun = output.contains("Test run with") && !output.contains("Test run with 0 tests")
        guard !isRun else { return }
        let lines = output.split(separator: "\n")
        let errors = lines.filter { $0.contains("error:") }
        let end = (errors.isEmpty ? lines.suffix(20)[...] : errors.prefix(20)).joined(
            separator: "\n")
        throw LogProblem(
            exitCode: 2,
            description: "The tests of the package can't be run (exit code \(status)):\n\(end)")
    }

    /// The lines that say why a test failed.
    private static func failure(in output: String) -> String {
        let lines = output.split(separator: "\n").filter { line in
            line.contains("recorded an issue") || line.contains("Caught error")
                || line.contains("Fatal error")
        }
        return lines.isEmpty
            ? String(output.suffix(1_000)) : lines.prefix(10).joined(separator: "\n")
    }

    /// Runs `swift` of the path, without the variables that tell it where it was started from.
    @Sendable
    package static func swift(_ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["swift"] + arguments
        let pipe = Pipe()
        (process.standardOutput, process.standardError) = (pipe, pipe)
        process.standardInput = FileHandle.nullDevice
        do {
            try process.run()
        } catch {
            throw LogProblem(exitCode: 2, description: "swift can't be run: \(error)")
        }
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }
}

extension ReportTestMaker.Outcome {
    /// The outcome in words, for a report of a name.
    package func text(of report: String) -> String {
        switch self {
        case .red(let file, let entries, let all, let failure):
            """
            \(report): red. \(entries) of \(all) entries break a promise.
            test: \(file)
            \(failure)
            """
        case .green(let file): "\(report): green. The test of its fault passes.\ntest: \(file)"
        case .noFault(let entries):
            "\(report): no fault. No promise is broken after any of its \(entries) entries."
        }
    }
}
#endif
