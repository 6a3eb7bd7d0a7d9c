// SPDX-License-Identifier: MIT
#if All

internal import Onward

/// Notifies other programs of stores that have changed, and is notified of theirs, by a connection of its own.
///
/// A notification takes a lock of the whole database when it is committed, so it is no part of an append: what was
/// appended while one notification is under way goes with the next. One that is lost makes followers wait for a poll.
actor StoreSignals {
    private let servers: PostgresServers
    private let channel: String
    private let limit: Duration
    private let onChange: @Sendable ([Int64]) -> Void
    private var connection: PostgresConnection?
    private var connecting: Task<PostgresConnection?, Never>?
    private var isClosed = false
    private nonisolated let changed = Guarded(ChangedStores())

    init(
        _ servers: PostgresServers, channel: String, limit: Duration,
        onChange: @escaping @Sendable ([Int64]) -> Void
    ) {
        self.servers = servers
        self.channel = channel
        self.limit = limit
        self.onChange = onChange
    }

    /// Notifies everybody, soon.
    nonisolated func announce(_ store: Int64) {
        if changed.withValue({ $0.add([store]) }) { Task { await send() } }
    }

    private func send() async {
        while let stores = changed.withValue({ $0.next() }) {
            guard let connection = await connected() else { continue }
            let sent = await connection.perform(until: .now + limit) {
                [channel] db throws(PostgresFailure) in
                _ = try db.run(
                    Statement(
                        "SELECT pg_notify($1, store::text) FROM unnest($2::bigint[]) AS store",
                        [.text(channel), .numbers(stores)]))
            }
            if case .failure = sent { await drop() }
        }
    }

    /// Has a connection that is notified, where one can be had.
    func listen() async { _ = await connected() }

    private func connected() async -> PostgresConnection? {
        if isClosed { return nil }
        if let connection { return connection }
        let attempt = connecting ?? Task { await connect() }
        connecting = attempt
        let made = await attempt.value
        if connecting == attempt {
            connecting = nil
            connection = made
        }
        return made
    }

    private func connect() async -> PostgresConnection? {
        guard case .success(let made) = await servers.connect(until: .now + limit) else {
            return nil
        }
        let listening: Void? = try? await made.listen(to: channel, until: .now + limit) {
            [weak self, onChange] texts in
            if let texts {
                onChange(texts.compactMap { Int64($0) })
            } else if let self {
                Task { await self.drop() }
            }
        }
        if listening == nil || isClosed {
            await made.stopListening()
            return nil
        }
        return made
    }

    private func drop() async {
        let ended = connection
        connection = nil
        await ended?.stopListening()
    }

    func close() async {
        isClosed = true
        await drop()
    }
}
#endif
