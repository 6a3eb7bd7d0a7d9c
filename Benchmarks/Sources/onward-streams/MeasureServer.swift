// SPDX-License-Identifier: MIT

import ArgumentParser
import Processes

/// Measures what a server does in a second, how soon an action is in another tab, and what pages take.
///
/// Beside each stands what a bare server needs in the same run, with its answers ready: routes of the web
/// framework below, and a handler behind the codec of HTTP.
struct MeasureServer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "server",
        abstract: "Measures the figures of the server, beside those of bare ones.",
        discussion: "All servers are processes on 127.0.0.1, which end with this one.")

    @Option(help: "How many times each rate is measured, in turn; the median counts (1 to 20).")
    var rounds = 5

    mutating func validate() throws {
        guard 1...20 ~= rounds else { throw ValidationError("The number of rounds is 1 to 20.") }
    }

    func run() async throws {
        let (page, rates) = try measureRates()
        let answers = try measureAnswers(pageSize: page)
        let tabs = try [1, 100, 1_000].map { try TabFigures.measure(pages: $0) }
        let row = try measureRow(of: 1_000)
        print(
            """
            {
             "connections": \(Self.connections),
             "pageBytes": \(page),
             "perSecond": {
            \(rates.map { "  \"\($0)\": \($1)" }.joined(separator: ",\n"))
             },
             "answerMilliseconds": {
            \(answers.map { "  \"\($0)\": \($1)" }.joined(separator: ",\n"))
             },
             "tabs": [
            \(tabs.map { "  \($0.json)" }.joined(separator: ",\n"))
             ],
             "rowBytes": \(row)
            }
            """)
    }

    private static let connections = 32

    /// Each kind of server measured in turn, so that a machine that is busy for a while is so for all.
    private func measureRates() throws -> (pageSize: Int, rates: [(String, String)]) {
        let server = try ServerProcess("serve", "64")
        defer { server.stop() }
        let probe = try Load(.page, connections: 1, port: server.port)
        let size = try probe.measure(milliseconds: 40).size
        try probe.close()
        let hummingbird = try ServerProcess("serve-bare", "hummingbird", "--size", "\(size)")
        defer { hummingbird.stop() }
        let nio = try ServerProcess("serve-bare", "nio", "--size", "\(size)")
        defer { nio.stop() }
        var figures: [String: [Double]] = [:]
        for _ in 0..<rounds {
            for (kind, request) in [("Pages", Request.page), ("Posts", .post)] {
                for (name, process) in [
                    ("onward", server), ("hummingbird", hummingbird), ("nio", nio),
                ] {
                    let load = try Load(request, connections: Self.connections, port: process.port)
                    let rate = try load.measure(milliseconds: 1_500).perSecond
                    figures[name + kind, default: []].append(rate)
                    try load.close()
                }
            }
        }
        let rates = figures.mapValues { "\(Int($0.median.rounded()))" }
        return (size, rates.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }

    /// How long a bare server takes for a post that comes by itself.
    private func measureAnswers(pageSize: Int) throws -> [(String, Double)] {
        try ["hummingbird", "nio"].map { name in
            let server = try ServerProcess("serve-bare", name, "--size", "\(pageSize)")
            defer { server.stop() }
            let poster = try Poster(port: server.port)
            defer { try? poster.close() }
            let delays = try (0..<120).map { _ in
                Machine.sleep(milliseconds: 40)
                let (sent, answered) = try poster.send(Request.post.next())
                return Double(answered - sent) / 1e6
            }
            return (name, delays.dropFirst(20).median)
        }
    }

    /// The size of the event that brings one changed row of so many, in bytes.
    private func measureRow(of rows: Int) throws -> Int {
        let server = try ServerProcess("serve", "8", "--rows", "\(rows)")
        defer { server.stop() }
        let reader = try Readers(1, port: server.port)
        let poster = try Poster(port: server.port)
        let next = reader.version + 1
        let rename = #""CountAction/rename","request":"rename-row","row":500,"title":"Row 501""#
        _ = try poster.send(Request.post(rename))
        try reader.wait(for: next)
        let size = reader.eventSize
        try poster.close()
        try reader.close()
        return size
    }
}

/// How soon an action is in other tabs, and what their pages take.
private struct TabFigures {
    let pages: Int
    /// From a post until a tab has what became of it: the median of all tabs and posts.
    let milliseconds: Double
    /// The same until the last tab has it: the median of all posts.
    let lastMilliseconds: Double
    /// How much the server's resident memory grew, divided by the number of pages.
    let kibibytesPerPage: Double

    var json: String {
        """
        {"pages": \(pages), "milliseconds": \(milliseconds), "lastMilliseconds": \(lastMilliseconds), \
        "kibibytesPerPage": \(kibibytesPerPage)}
        """
    }

    static func measure(pages: Int) throws -> TabFigures {
        try Machine.allowOpenFiles(pages + 64)
        let server = try ServerProcess("serve", "\(pages)")
        defer { server.stop() }
        let poster = try Poster(port: server.port)
        // What the first readers make the server allocate once isn't theirs.
        let warmup = try Readers(8, port: server.port)
        for _ in 0..<20 { _ = try poster.send(Request.post.next()) }
        try warmup.wait(for: warmup.version)
        try warmup.close()
        let empty = try server.residentMemory()
        let readers = try Readers(pages, port: server.port)
        let version = readers.version
        let posts = try (1...100).map { number in
            // One that comes by itself: those within a frame of another are sent together.
            Machine.sleep(milliseconds: 50)
            return StampedCommit(
                version: version + number,
                nanoseconds: try poster.send(Request.post.next()).sent)
        }
        try readers.wait(for: version + posts.count)
        let used = try server.residentMemory()
        let figures = TabFigures(
            pages: pages, milliseconds: readers.delays(of: posts).median,
            lastMilliseconds: readers.lastDelays(of: posts).median,
            kibibytesPerPage: Double(used - empty) / 1_024 / Double(pages))
        try poster.close()
        try readers.close()
        return figures
    }
}

extension Sequence<Double> {
    /// The one in the middle; 0 of none.
    fileprivate var median: Double {
        let sorted = sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    }
}
