// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import OnwardSync
import Processes
import Synchronization

/// 1,000 pending actions, decided again on 100 entries of others, in a table of 10,000 rows.
///
/// From the message with the entries until the client's store has committed what follows: reading the message, folding
/// the entries, deciding what is pending, installing the state; by processor time. Writing it to the journal comes after that.
enum Rebase {
    static func measure() async throws {
        let store = Store(Table(rows: 10_000)) { table }
        let server = try await SyncServer(of: store, accepting: .actions(TableAction.self))
        let network = SilentClient(server)
        let synced = try await SyncedStore(
            of: Table(rows: 10_000), over: network, in: MemoryJournal()
        ) { table }
        _ = try await synced.status.wait { $0.isOnline }
        for number in 1...1_000 {
            synced.store.dispatch(TableAction.set(id: number * 7, number: number))
        }
        var times: [Double] = []
        for round in 1...21 {
            network.cut()
            _ = try await synced.status.wait { !$0.isOnline }
            for number in 1...100 {
                store.dispatch(TableAction.set(id: number * 7 + round, number: round))
            }
            await server.publish()
            let committed = Mutex(0)
            let token = synced.store.log.attach(
                Travels { committed.withLock { $0 = Machine.processorTime } })
            network.join()
            let version = store.log.version
            _ = try await synced.status.wait { $0.confirmed == version }
            token.cancel()
            // The first one warms up.
            if round > 1 {
                times.append(Double(committed.withLock { $0 } - network.arrived) / 1e6)
            }
        }
        let pending = synced.status.state.pending
        print(
            """
            rebase of \(pending) pending updates over 100 foreign entries on 10,000 rows: median \
            \(rounded(median(times))) ms, worst \(rounded(times.max() ?? 0)) ms (wanted: ≤ 10 ms)
            """)
        await synced.stop()
    }
}

/// Notes when others' changes were committed.
private struct Travels: CommitObserver {
    let note: @Sendable () -> Void
    func observe(_ commit: Commit<Table>) { if commit.entry.kind == .travel { note() } }
}

/// A way to a server on which a client says hello and nothing else, so that what is pending stays so.
private final class SilentClient: SyncTransport {
    private struct Contents {
        var isOpen = true
        var connection: SyncConnection?
        var waiter: CheckedContinuation<Void, Never>?
        var arrived = 0
    }

    private let server: SyncServer<Table>
    private let contents = Mutex(Contents())

    init(_ server: SyncServer<Table>) { self.server = server }

    /// When the last large message came: the one with the entries.
    var arrived: Int { contents.withLock { $0.arrived } }

    func cut() {
        let connection = contents.withLock { contents in
            contents.isOpen = false
            return contents.connection.take()
        }
        connection?.close()
    }

    func join() {
        let waiter = contents.withLock { contents in
            contents.isOpen = true
            return contents.waiter.take()
        }
        waiter?.resume()
    }

    func connect() async throws -> SyncConnection {
        await withCheckedContinuation { waiter in
            let isOpen = contents.withLock { contents in
                if !contents.isOpen { contents.waiter = waiter }
                return contents.isOpen
            }
            if isOpen { waiter.resume() }
        }
        let connection = await server.connect()
        let (stream, outlet) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        let reading = Task { [self] in
            for try await message in connection.messages {
                if message.count > 1_000 {
                    contents.withLock { $0.arrived = Machine.processorTime }
                }
                outlet.yield(message)
            }
            outlet.finish()
        }
        outlet.onTermination = { _ in
            reading.cancel()
            connection.close()
        }
        let isFirst = Mutex(true)
        let hushed = SyncConnection(messages: stream) { message in
            let isHello = isFirst.withLock { first in
                defer { first = false }
                return first
            }
            if isHello { try await connection.send(message) }
        } close: {
            outlet.finish()
        }
        contents.withLock { $0.connection = hushed }
        return hushed
    }
}
