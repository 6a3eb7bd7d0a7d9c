// SPDX-License-Identifier: MIT

import ArgumentParser
import Workloads

/// Measures the workloads of the design, each with its limit in the same run.
@main
struct OnwardBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "onward-bench",
        abstract: "Measures the store against the least that could do the same.")

    @Flag(help: "Print an array of JSON objects instead of a table.")
    var json = false

    @Option(help: "How often each workload is measured; the median counts (at least 7).")
    var repetitions = 11

    @Argument(help: "The workloads, such as W1 W7; all without.")
    var workloads: [String] = []

    /// What is reported in words.
    private static let notes = [
        "memory", "frames", "views", "U1", "U2", "history", "H2", "codec", "recorder", "exchange",
        "J1", "J2", "J3", "J4",
    ]

    mutating func validate() throws {
        guard repetitions >= 7 else { throw ValidationError("At least 7 repetitions are needed.") }
        let known = Workload.all.map(\.name) + ["W8", "W8T"] + Self.notes
        for name in workloads where !known.contains(name) {
            throw ValidationError(
                "No workload \(name); there are \(known.joined(separator: ", ")).")
        }
    }

    // On the main thread, as some workloads dispatch from the main actor.
    @MainActor
    func run() async throws {
        var results: [Measurement] = []
        var notes: [String] = []
        // First, as memory that workloads release would be used again.
        if wants("memory"), let memory = Living.memory() { notes.append(memory) }
        for workload in Workload.all where wants(workload.name) {
            results.append(Measurement(of: workload, repetitions: repetitions))
        }
        if wants("W8") {
            let contention = Contention(repetitions: repetitions)
            results.append(contention.measurement)
            notes.append(contention.note)
        }
        if wants("W8T") {
            let contention = Contention(notifiedWithRepetitions: repetitions)
            results.append(contention.measurement)
            notes.append(contention.note)
        }
        if wants("frames") { notes.append(Living.frames(seconds: 10)) }
        if wants("views") { notes.append(Viewing.fromScratch(repetitions: repetitions)) }
        if wants("U1") { notes.append(Undoing.views()) }
        if wants("U2") { notes.append(Undoing.full()) }
        if wants("H2") { notes.append(HistoryAtLimit.note()) }
        if wants("history") { notes.append(Travelling.history()) }
        if wants("codec") { notes.append(Travelling.codec()) }
        if wants("recorder") { notes.append(await Travelling.recorder()) }
        if wants("J1") { notes.append(await Journaling.writing()) }
        if wants("J2") { notes.append(await Journaling.opening()) }
        if wants("J3") { notes.append(await Journaling.many()) }
        if wants("J4") { notes.append(await RestoringRows.note()) }
        if wants("exchange") { notes.append(Travelling.exchange()) }
        json ? printJSON(results) : printTable(results, notes)
    }

    private func wants(_ name: String) -> Bool {
        // The notes are for people; in JSON they would be left out.
        let isNote = Self.notes.contains(name)
        return workloads.isEmpty ? !(json && isNote) : workloads.contains(name)
    }

    private func printJSON(_ results: [Measurement]) {
        func text(_ number: Double?) -> String { number.map { "\($0)" } ?? "null" }
        let rows = results.map { result -> String in
            let limit = text(result.limitNanoseconds)
            let ratio = text(result.ratio)
            return """
                {"workload":"\(result.workload)","nanoseconds":\(result.nanoseconds),\
                "limitNanoseconds":\(limit),"ratio":\(ratio),"budget":"\(result.budget)",\
                "summary":"\(result.summary.replacing("\\", with: "\\\\"))"}
                """
        }
        print("[" + rows.joined(separator: ",\n ") + "]")
    }

    private func printTable(_ results: [Measurement], _ notes: [String]) {
        print("                  ns/op    limit   ratio  budget        workload")
        for result in results {
            print(
                result.workload.padded(to: 15), cell(result.nanoseconds, 7),
                cell(result.limitNanoseconds, 8), cell(result.ratio, 7), "",
                result.budget.padded(to: 12), result.summary)
        }
        for note in notes { print(note) }
    }

    private func cell(_ number: Double?, _ width: Int) -> String {
        guard let number else { return "–".padded(to: -width) }
        let digits = number < 10 ? 100.0 : 10.0
        return "\((number * digits).rounded() / digits)".padded(to: -width)
    }
}

extension String {
    /// The text filled up with spaces behind it, or before it for a negative width.
    func padded(to width: Int) -> String {
        let blanks = String(repeating: " ", count: max(0, abs(width) - count))
        return width < 0 ? blanks + self : self + blanks
    }
}
