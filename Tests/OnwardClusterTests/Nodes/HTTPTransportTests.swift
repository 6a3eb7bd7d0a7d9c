// SPDX-License-Identifier: MIT
#if Server

import Onward
import OnwardJournal
import Testing

@testable import OnwardCluster

@Suite(.timeLimit(.minutes(2))) struct HTTPTransportTests {
    private let ports = Guarded<[NodeID: Int]>([:])

    private func transport(_ secret: String = "0123456789abcdef") -> HTTPTransport {
        HTTPTransport(secret: secret) { [ports] node in
            ports.withValue { $0[node] }.map { ("127.0.0.1", $0) }
        }
    }

    /// A node that serves, and the task that does it.
    private func serve(
        _ node: ClusterNode, _ transport: HTTPTransport
    ) async -> Task<Void, any Error> {
        var serving: Task<Void, any Error>?
        await withCheckedContinuation { continuation in
            serving = Task { [ports] in
                try await transport.serve(node, port: 0) { port in
                    ports.withValue { $0[node.id] = port }
                    continuation.resume()
                }
            }
        }
        return serving ?? Task {}
    }

    @Test func `a message arrives, and one with another secret doesn't`() async throws {
        let node = ClusterNode(a, table: MemoryNodeTable(), transport: LocalTransport())
        let store = ClusteredStore(
            of: Ledger(), named: "ledger", in: MemoryJournal(), on: node
        ) {
            Reduce { (ledger: inout Ledger, action: LedgerAction) in ledger.isOpen.toggle() }
        }
        let serving = await serve(node, transport())
        let running = Task { await node.run() }
        let letter = Envelope.Letter(
            store: "ledger", message: .acknowledged(JournalPosition(version: 7, id: id(7)))
        )
        let bytes = Envelope.bytes(of: [letter.value], from: b)
        await transport("0123456789abcdeF").send(bytes, to: a)
        #expect(store.status.lag == 0)
        await transport().send(bytes, to: a)
        // The node knows of something that it hasn't read.
        #expect(store.status.lag == 7)
        serving.cancel()
        running.cancel()
        await running.value
    }

    @Test func `a node that isn't there holds up nobody`() async {
        ports.withValue { $0[a] = 1 }
        await transport().send([1, 2, 3], to: a)
        await transport().send([1, 2, 3], to: b)
    }

    @Test(arguments: [("10.0.0.7:9000", "10.0.0.7", 9_000), ("[::1]:80", "[::1]", 80)])
    func `the id of a node says where it is reached`(name: String, host: String, port: Int) {
        let address = HTTPTransport.address(in: name)
        #expect(address?.host == host)
        #expect(address?.port == port)
    }

    @Test(arguments: ["", "a", ":80", "a:", "a:0", "a:65536", "a:-1"])
    func `any other id says nothing`(name: String) {
        #expect(HTTPTransport.address(in: name) == nil)
    }
}
#endif
