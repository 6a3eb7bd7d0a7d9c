// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import OnwardSync
import Processes

/// One action to 1,000 clients at one store, over HTTP, beside an event that a bare server sends to as many streams.
///
/// Both servers are processes of their own, and are measured in turns: from the dispatch until the last client has it, and
/// what a client takes of the server's memory.
enum Broadcast {
    static func measure(clients: Int) async throws {
        try Machine.allowOpenFiles(2 * clients + 256)
        let hellos = try await hellos(2 * clients)
        let synced = try ServerProcess("serve", "\(clients)")
        defer { synced.stop() }
        let bare = try ServerProcess("serve-bare")
        defer { bare.stop() }
        // What the first clients make a server allocate once isn't theirs.
        try Listeners(.messages(hellos: Array(hellos.suffix(16))), count: 16, port: synced.port)
            .close()
        try Listeners(.events, count: 16, port: bare.port).close()
        let empty = (try synced.residentMemory(), try bare.residentMemory())
        let clientsOfStore = try Listeners(
            .messages(hellos: hellos), count: clients, port: synced.port)
        let readers = try Listeners(.events, count: clients, port: bare.port)
        var times: (synced: [Double], bare: [Double]) = ([], [])
        for round in 0..<60 {
            let one = try clientsOfStore.delay { try synced.commit(1)[0] }
            let other = try readers.delay { try bare.commit(1)[0] }
            // The first ones warm up.
            if round >= 10 {
                times.synced.append(one)
                times.bare.append(other)
            }
        }
        let used = (try synced.residentMemory(), try bare.residentMemory())
        let memory = (
            Double(used.0 - empty.0) / 1_024 / Double(clients),
            Double(used.1 - empty.1) / 1_024 / Double(clients)
        )
        let (time, bareTime) = (median(times.synced), median(times.bare))
        print(
            """
            one action to \(clients) clients: median \(rounded(time)) ms, a bare event \(rounded(bareTime)) ms, ratio \
            \(rounded(time / bareTime)) (wanted: ≤ 1.5)
            memory of a client: \(rounded(memory.0)) KiB, of a bare stream \(rounded(memory.1)) KiB, ratio \
            \(rounded(memory.0 / memory.1)) (wanted: ≤ 1.5)
            """)
        try clientsOfStore.close()
        try readers.close()
        try await Inside.measure(clients: clients)
    }

    /// What so many clients say first.
    static func hellos(_ count: Int) async throws -> [[UInt8]] {
        var hellos: [[UInt8]] = []
        for _ in 0..<count {
            let (said, saying) = AsyncStream<[UInt8]>.makeStream()
            let network = MemoryTransport {
                let (messages, outlet) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
                return SyncConnection(messages: messages) {
                    saying.yield($0)
                } close: {
                    outlet.finish()
                }
            }
            let client = try await SyncedStore(
                of: Table(rows: 1), over: network, in: MemoryJournal()
            ) { table }
            for await hello in said {
                hellos.append(hello)
                break
            }
            await client.stop()
        }
        return hellos
    }
}
