// SPDX-License-Identifier: MIT

import Onward
import OnwardSync
import Processes
import Synchronization

/// The same without HTTP: what the server itself does for an action, beside streams that are handed the same bytes.
enum Inside {
    static func measure(clients: Int) async throws {
        let store = Store(Table(rows: 1)) { table }
        let server = try await SyncServer(of: store, accepting: .actions(TableAction.self))
        let hellos = try await Broadcast.hellos(clients)
        let (counts, bare) = (Arrived(), Arrived())
        var connections: [SyncConnection] = []
        for hello in hellos {
            let connection = await server.connect()
            connections.append(connection)
            Task { for try await _ in connection.messages { counts.note() } }
            try await connection.send(hello)
        }
        var outlets: [AsyncThrowingStream<[UInt8], any Error>.Continuation] = []
        for _ in 0..<clients {
            let (stream, outlet) = AsyncThrowingStream<[UInt8], any Error>.makeStream(
                bufferingPolicy: .bufferingOldest(64))
            outlets.append(outlet)
            Task { for try await _ in stream { bare.note() } }
        }
        let message = [UInt8](repeating: 7, count: 190)
        try await counts.waitUntilQuiet()
        var times: (synced: [Double], bare: [Double]) = ([], [])
        for number in 1...110 {
            let one = try await counts.delay(clients) {
                store.dispatch(TableAction.set(id: 0, number: number))
            }
            let other = try await bare.delay(clients) {
                for outlet in outlets { outlet.yield(message) }
            }
            // The first ones warm up.
            if number > 10 {
                times.synced.append(one)
                times.bare.append(other)
            }
        }
        let (time, bareTime) = (median(times.synced), median(times.bare))
        print(
            """
            the same without HTTP: median \(rounded(time)) ms, bare streams \(rounded(bareTime)) ms, ratio \
            \(rounded(time / bareTime))
            """)
        for connection in connections { connection.close() }
        for outlet in outlets { outlet.finish() }
        await server.stop()
    }
}

/// Counts what has come, and when the last did.
private final class Arrived: Sendable {
    private let state = Mutex((count: 0, last: 0))

    func note() {
        let now = Machine.now
        state.withLock { $0 = ($0.count + 1, now) }
    }

    func waitUntilQuiet() async throws {
        var before = -1
        while state.withLock({ $0.count }) != before {
            before = state.withLock { $0.count }
            try await Task.sleep(for: .milliseconds(200))
        }
    }

    /// The time until so many more have come, in milliseconds.
    func delay(_ count: Int, _ act: () -> Void) async throws -> Double {
        let wanted = state.withLock { $0.count } + count
        let start = Machine.now
        act()
        while true {
            let (count, last) = state.withLock { $0 }
            if count >= wanted { return Double(last - start) / 1e6 }
            try await Task.sleep(for: .microseconds(200))
        }
    }
}
