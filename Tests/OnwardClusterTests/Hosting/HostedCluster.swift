// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Mustache
import NIOCore
import NIOPosix
import Onward
import OnwardCluster
import OnwardJournal
import OnwardServer

/// Nodes with a server each, on the machine's own clock: connections know no other.
final class HostedCluster: Sendable {
    /// A node with its ledger.
    struct Place: Sendable {
        let node: ClusterNode
        let ledger: ClusteredStore<Ledger>
        let ledgers: ClusteredStores<Ledger>
        let running: Task<Void, Never>

        /// Ends it as if it had died.
        func kill() async {
            running.cancel()
            await running.value
        }
    }

    let journals = LentJournals()
    private let table = MemoryNodeTable()
    private let transport = LocalTransport()

    func start(_ name: String) -> Place {
        var limits = ClusterLimits()
        limits.proposal = .seconds(5)
        limits.look = .milliseconds(50)
        limits.patience = .seconds(1)
        let node = ClusterNode(NodeID(name), table: table, transport: transport, limits: limits)
        let ledger = ClusteredStore(
            of: Ledger(), named: "ledger", in: journals.lend("ledger"), on: node
        ) { Self.rules }
        let ledgers = ClusteredStores(of: Ledger(), named: "ledgers", on: node) { [journals] name in
            journals.lend(name)
        } features: {
            Self.rules
        }
        transport.connect(node)
        return Place(
            node: node, ledger: ledger, ledgers: ledgers, running: Task { await node.run() })
    }

    private static let rules = Feature<Ledger> {
        Reduce { (ledger: inout Ledger, action: LedgerAction) in
            switch action {
            case .add(let line): ledger.lines.append(line)
            case .open(let isOpen): ledger.isOpen = isOpen
            }
        }
    }

    /// A server of a node's ledger, on a socket.
    static func serve<Value>(
        _ hosting: Hosting<Ledger>,
        _ body: @Sendable (any TestClientProtocol) async throws -> Value
    ) async throws -> Value {
        var library = MustacheLibrary()
        try library.register("<ol>{{#lines}}<li>{{.}}</li>{{/lines}}</ol>", named: "lines")
        try library.register("<p>{{#isOpen}}open{{/isOpen}}</p>", named: "office")
        let page = try Page<Ledger>(
            title: "Ledger", templates: library, accepts: [LedgerAction.self],
            expects: { "\($0.lines.count) lines" }
        ) { ledger in
            [
                Fragment("lines", model: Lines(lines: ledger.lines)),
                Fragment("office", model: Office(isOpen: ledger.isOpen)),
            ]
        }
        var options = ServerOptions(port: 0)
        options.logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        options.frame = .zero
        // A test keeps its one connection to each node, however long it waits for another.
        (options.limits.silence, options.limits.keepAlive) = (.seconds(3_600), .seconds(3_600))
        return try await PageServer(page, hosting: hosting, options: options).application()
            .test(.live, body)
    }

    private struct Lines: Equatable { let lines: [String] }
    private struct Office: Equatable { let isOpen: Bool }
}

extension TestClientProtocol {
    func page(_ headers: HTTPFields = [:]) async throws -> TestResponse {
        try await execute(uri: "/", method: .get, headers: headers)
    }

    /// Adds a line, as the script does: what is answered with 503 is sent again with the same id.
    func add(
        _ line: String, request: String, expects: String? = nil, _ headers: HTTPFields = [:],
        tries: Int = 10
    ) async throws -> TestResponse {
        let expects = expects.map { ",\"expects\":\"\($0)\"" } ?? ""
        var headers = headers
        headers[.contentType] = "application/json"
        let body =
            "{\"type\":\"LedgerAction/add\",\"request\":\"\(request)\",\"value\":\"\(line)\"\(expects)}"
        for _ in 1..<tries {
            let answer = try await execute(
                uri: "/", method: .post, headers: headers, body: ByteBuffer(string: body))
            if answer.status != .serviceUnavailable { return answer }
        }
        return try await execute(
            uri: "/", method: .post, headers: headers, body: ByteBuffer(string: body))
    }
}

extension TestResponse {
    var text: String { String(buffer: body) }
    /// Names what a document shows.
    var pageID: String? { text.firstMatch(of: /since=([0-9a-f]+-[0-9]+)/).map { String($0.1) } }
}

/// An open stream of a page's events.
struct EventReader {
    private var iterator: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private var text = ""

    static func with(
        port: Int, since id: String, _ body: @Sendable (inout EventReader) async throws -> Void
    ) async throws {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel)
                }
            }
        try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(
                ByteBuffer(
                    string: "GET /events?since=\(id) HTTP/1.1\r\nHost: localhost\r\n\r\n"))
            var reader = EventReader(iterator: inbound.makeAsyncIterator())
            try await body(&reader)
        }
    }

    /// What comes up to and including a text.
    mutating func read(until end: String) async throws -> String {
        while true {
            if let range = text.firstRange(of: end) {
                defer { text = String(text[range.upperBound...]) }
                return String(text[..<range.upperBound])
            }
            guard let more = try await iterator.next() else { throw EndOfStream() }
            text += String(buffer: more)
        }
    }

    /// The lines of the next event that changes the page; its id is the first one.
    mutating func event() async throws -> [String] {
        while true {
            let lines = try await read(until: "\n\n").split(whereSeparator: \.isNewline)
            guard let first = lines.firstIndex(where: { $0.hasPrefix("id: ") }),
                lines.contains(where: { $0.hasPrefix("data: ") })
            else { continue }
            return lines[first...].filter { $0.contains(": ") }.map {
                String($0.drop { $0 != " " }.dropFirst())
            }
        }
    }

    private struct EndOfStream: Error {}
}
#endif
