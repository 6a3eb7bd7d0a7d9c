// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardReports

/// Records what somebody does at random with one of the apps, makes its report, finds the fault in it.
///
/// - `record APP FOLDER COUNT SEED` records so many actions of somebody who never comes upon the fault, then some of
///   somebody who does, and writes the report to `FOLDER/problem.onwardreport`.
/// - `find APP REPORT FILE` writes a test that is as short as the fault allows, from the report alone.
@main
struct AppSession {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count >= 4 else { exit(64) }
        switch arguments[1] {
        case "RockPaperScissors": try await run(RockPaperScissorsApp.self, arguments)
        case "MemoryTunes": try await run(MemoryTunesApp.self, arguments)
        case "ToDo": try await run(ToDoApp.self, arguments)
        default: exit(64)
        }
    }

    private static func run<App: FaultyApp>(_ app: App.Type, _ arguments: [String]) async throws {
        switch (arguments[0], arguments.count) {
        case ("record", 5):
            try await record(
                app, in: arguments[2], Int(arguments[3]) ?? 0, seed: UInt64(arguments[4]) ?? 0)
        case ("find", 4): try find(app, in: arguments[2], to: arguments[3])
        default: exit(64)
        }
    }

    private static func record<App: FaultyApp>(
        _ app: App.Type, in folder: String, _ count: Int, seed: UInt64
    ) async throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let store = Store(App.start) { App.reducers }
        let recorder = try SessionRecorder(store, at: folder + "/sessions", keeping: .minutes(60))
        await recorder.flush()
        var user = App.User(random: Generator(state: seed))
        while Int(store.log.version) < count {
            user.act(on: store, isCareful: true)
            // A user is slower than the writer.
            if store.log.version.isMultiple(of: 1_000) { await recorder.flush() }
        }
        guard !App.hasFault(store.state) else {
            throw Failure("somebody careful came upon the fault")
        }
        while !App.hasFault(store.state) {
            guard Int(store.log.version) < 2 * count else {
                throw Failure("nobody came upon the fault")
            }
            user.act(on: store, isCareful: false)
        }
        let session = try await recorder.session()
        await recorder.stop()
        let report = try session.report(in: App.reducers, redacting: App.redaction)
        guard report.redaction?.isFaithful == true else {
            throw Failure("the redacted run takes another course: \(report.text(lines: 8))")
        }
        try report.write(to: folder + "/problem.onwardreport")
    }

    private static func find<App: FaultyApp>(
        _ app: App.Type, in path: String, to file: String
    ) throws {
        let clock = ContinuousClock()
        let begin = clock.now
        let report = try Report(contentsOf: path)
        let shortest = try report.shortest(
            in: App.reducers, progress: { say("\($0)") }, where: App.hasFault)
        say(
            "\(report.entries.count) entries, \(shortest.entries.count) needed, \(clock.now - begin)"
        )
        let source = try shortest.testSource(
            named: App.promise, importing: App.modules, making: App.making,
            expecting: App.expectation)
        try Data(source.utf8).write(to: URL(fileURLWithPath: file))
    }

    static func say(_ line: String) {
        try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8))
    }
}

/// Why there is no report to look into.
struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// An app whose copy has a fault.
protocol FaultyApp {
    associatedtype State: Codable & Sendable
    associatedtype User: FaultyAppUser<State>
    static var start: State { get }
    static var reducers: Feature<State> { get }
    static var redaction: Redaction<State> { get }
    /// Whether a state breaks what the app promises.
    static func hasFault(_ state: State) -> Bool
    /// The promise, and how a test asks for it.
    static var promise: String { get }
    static var expectation: String { get }
    static var making: String { get }
    static var modules: [String] { get }
}

/// Somebody who does something at random.
protocol FaultyAppUser<State> {
    associatedtype State: Sendable
    init(random: Generator)
    /// Does one thing.
    ///
    /// - Parameters:
    ///   - store: The app.
    ///   - isCareful: Whether nothing is done that could show the fault.
    mutating func act(on store: Store<State>, isCareful: Bool)
}

/// Random numbers with a seed.
struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A text that nobody else has.
    mutating func text() -> String { "text \(String(next(), radix: 36))" }
}
