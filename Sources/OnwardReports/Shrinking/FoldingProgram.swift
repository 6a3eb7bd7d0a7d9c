// SPDX-License-Identifier: MIT

internal import Foundation
public import Onward
internal import OnwardJournal

#if os(macOS) || os(Linux)
/// A program that folds reports and may die doing so, for faults that end the process.
///
/// A trap can't be caught, so a list of entries that leads to one is run by a child process. Any
/// program of yours will do, if it has the features and a few lines at its beginning:
///
/// ```swift
/// if try FoldingProgram.fold(CommandLine.arguments, in: bank) as Bank? != nil { exit(0) }
/// ```
///
/// A search starts it once for every list that it tries, so a start should take milliseconds.
public struct FoldingProgram: Sendable {
    /// The argument that precedes the report's path in the arguments of the child.
    public static let argument = "--fold-report"

    private let path: String
    private let arguments: [String]
    private let seconds: Double

    /// Creates a program.
    ///
    /// - Parameters:
    ///   - path: The executable file.
    ///   - arguments: The program's arguments besides ``argument`` and the path of a report.
    ///   - limit: How long the program may take for one report; after that it is ended, and counts
    ///     as without a fault.
    public init(_ path: String, arguments: [String] = [], limit: Duration = .seconds(60)) {
        self.path = path
        self.arguments = arguments
        seconds = Double(limit.components.seconds) + Double(limit.components.attoseconds) / 1e18
    }

    /// In the child: folds the report that the arguments name.
    ///
    /// - Parameters:
    ///   - arguments: The arguments of the program.
    ///   - feature: The features of the app; only their reducers run.
    /// - Returns: The state at the end; nil if the arguments name no report.
    /// - Throws: ``ReportError``.
    /// - Complexity: O(entries).
    @discardableResult
    public static func fold<State: Codable & Sendable>(
        _ arguments: [String], in feature: some Part<State>
    ) throws(ReportError) -> State? {
        guard let index = arguments.firstIndex(of: argument), index + 1 < arguments.count else {
            return nil
        }
        let report = try Report(contentsOf: arguments[index + 1], limit: .max)
        let start = try StateCodec<State>().start(of: report)
        let store = Store.folding(feature, from: start)
        let (state, entries) = try report.decoded(by: store)
        return store.log.replay(entries, from: state)
    }

    /// Runs the program with a report.
    ///
    /// - Returns: What it wrote to standard error if it died; nil if it ended by itself without a
    ///   fault.
    func run(_ report: Report) throws(ReportError) -> String? {
        let folder = FileManager.default.temporaryDirectory
        let name = "onward-\(UUID().uuidString)"
        let file = folder.appendingPathComponent("\(name).onwardreport")
        let errors = folder.appendingPathComponent("\(name).errors")
        defer {
            try? FileManager.default.removeItem(at: file)
            try? FileManager.default.removeItem(at: errors)
        }
        try report.write(to: file.path, limit: .max)
        do {
            // A file, because a pipe that nobody reads would block the child.
            try Data().write(to: errors)
            let output = try FileHandle(forWritingTo: errors)
            defer { try? output.close() }
            let child = Process()
            child.executableURL = URL(fileURLWithPath: path)
            child.arguments = arguments + [Self.argument, file.path]
            // The message is enough, and comes sooner alone.
            child.environment = ProcessInfo.processInfo.environment.merging(
                ["SWIFT_BACKTRACE": "enable=no"]) { $1 }
            child.standardInput = FileHandle.nullDevice
            child.standardOutput = FileHandle.nullDevice
            child.standardError = output
            try child.run()
            let watch = DispatchWorkItem { child.terminate() }
            DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: watch)
            child.waitUntilExit()
            watch.cancel()
            let hasDied =
                child.terminationReason == .uncaughtSignal && child.terminationStatus != SIGTERM
            let isWrong = child.terminationReason == .exit && child.terminationStatus != 0
            guard hasDied || isWrong else { return nil }
            return String(decoding: try Data(contentsOf: errors).suffix(1 << 16), as: UTF8.self)
        } catch {
            throw ReportError(
                .child, "\(path) can't be started: \(error). Give the path of an executable file.")
        }
    }
}

extension Report {
    /// Finds a shortest list of entries that ends a child process with a message, with values as
    /// simple as that allows.
    ///
    /// - Parameters:
    ///   - feature: The features of the app; here only for their names, their reducers run in the
    ///     child.
    ///   - message: What the child writes to standard error when it dies, such as a part of the
    ///     text of a `precondition`.
    ///   - program: The child.
    ///   - limit: About how many actions are reduced at most, where the start of a child counts as
    ///     10,000; after that, the best list so far is returned.
    ///   - progress: Called each time there are fewer entries, or simpler ones.
    /// - Returns: The state and the entries.
    /// - Throws: ``ReportError/Code/noFault`` if the child doesn't die that way;
    ///   ``ReportError/Code/child``; ``ReportError/Code/unreadable``.
    /// - Complexity: One child, which folds up to all entries, for each list that is tried: some 20
    ///   for each entry that is needed, and some for each value.
    public func shortest<State: Codable & Sendable>(
        in feature: some Part<State>, dyingWith message: String, in program: FoldingProgram,
        limit: Int = 20_000_000, progress: (ShrinkProgress) -> Void = { _ in }
    ) throws(ReportError) -> ShortestLog<State> {
        let start = try StateCodec<State>().start(of: self)
        let store = Store.folding(feature, from: start)
        let (first, all) = try decoded(by: store)
        // The program died at the end, so what a gap replaced doesn't count.
        let last = Stretch.all(first, all).last
        let (state, entries) = (last?.start ?? first, last?.entries ?? all)
        let codec = ActionCodec(for: store.log.actions)
        let snapshot: JournalSnapshot
        do {
            snapshot = try StateCodec<State>().encode(state, at: 0, by: fingerprint)
        } catch {
            throw ReportError(.unreadable, "The state can't be encoded.")
        }
        let trial = ChildTrial { entries throws(ReportError) in
            var encoded: [JournalEntry] = []
            for (index, entry) in entries.enumerated() {
                do {
                    encoded.append(try codec.encode(entry, as: CommitVersion(index + 1)))
                } catch {
                    throw ReportError(.unreadable, "Entry \(entry.version) can't be encoded.")
                }
            }
            return try program.run(Report(from: snapshot, encoded))?.contains(message) ?? false
        }
        return try withoutActuallyEscaping(progress) { progress throws(ReportError) in
            var search = Minimizer(trial, limit: limit, progress: progress)
            guard var left = try search.cut(entries) else {
                throw ReportError.noFault(entries.count)
            }
            left = try search.withoutKinds(left, codec.kinds(of:))
            left = try search.smallest(of: left, codec)
            return ShortestLog(from: state, left, by: store, isMinimal: !search.isExhausted)
        }
    }
}
#endif
