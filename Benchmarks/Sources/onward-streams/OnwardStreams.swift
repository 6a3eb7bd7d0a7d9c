// SPDX-License-Identifier: MIT

import ArgumentParser

/// Measures S1: how soon the last of many open event streams has a commit, and what memory an open
/// stream takes.
@main
struct OnwardStreams: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "onward-streams",
        abstract: "Measures a page with many open event streams.",
        discussion: """
            The server runs in a process of its own, which ends with this one. Both stay on \
            127.0.0.1.
            """,
        subcommands: [MeasureServer.self, Serve.self, ServeBare.self])

    @Option(help: "How many event streams are open (1 to 8000).")
    var streams = 1_000

    @Option(help: "How often the store commits, 20 times a second (1 to 2000).")
    var commits = 100

    @Flag(help: "Print an array of JSON objects instead of a table.")
    var json = false

    mutating func validate() throws {
        guard 1...8_000 ~= streams else {
            throw ValidationError("The number of streams is 1 to 8000.")
        }
        guard 1...2_000 ~= commits else {
            throw ValidationError("The number of commits is 1 to 2000.")
        }
    }

    func run() async throws {
        let figures = try Figures.measure(streams: streams, commits: commits)
        json ? printJSON(figures) : printTable(figures)
    }

    private func printJSON(_ figures: Figures) {
        print(
            """
            [{"workload":"S1","milliseconds":\(figures.milliseconds),\
            "worstMilliseconds":\(figures.worstMilliseconds),\
            "kibibytesPerStream":\(figures.kibibytesPerStream)}]
            """)
    }

    private func printTable(_ figures: Figures) {
        print(
            """
            S1: \(streams) open streams on one page, \(commits) commits, 20 a second
                                                            measured  budget
            until the last reader has a commit, median   \(cell(figures.milliseconds)) ms  ≤ 250 ms
            until the last reader has a commit, worst    \(cell(figures.worstMilliseconds)) ms
            memory per stream                            \(cell(figures.kibibytesPerStream)) KiB ≤ 64 KiB
            """)
    }

    private func cell(_ number: Double) -> String {
        let text = "\((number * 10).rounded() / 10)"
        return String(repeating: " ", count: max(0, 8 - text.count)) + text
    }
}
