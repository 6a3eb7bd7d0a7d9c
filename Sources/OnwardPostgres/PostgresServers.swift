// SPDX-License-Identifier: MIT
#if All

internal import Onward
internal import OnwardJournal

/// Makes connections with the one of a database's servers that can be written.
final class PostgresServers: Sendable {
    let address: PostgresAddress
    private let limit: Duration
    private let timelines = Guarded(NewestTimeline())

    init(_ address: PostgresAddress, limit: Duration) {
        self.address = address
        self.limit = limit
    }

    /// Tries one server after the other, each for a time.
    func connect(
        until deadline: ContinuousClock.Instant
    ) async -> Result<PostgresConnection, PostgresFailure> {
        var failures: [PostgresFailure] = []
        for server in address.servers where ContinuousClock.now < deadline {
            do {
                let connection = try await PostgresConnection.connect(
                    server, until: min(deadline, .now + limit))
                if timelines.withValue({ $0.accept(connection.timeline) }) {
                    return .success(connection)
                }
                failures.append(.olderTimeline)
            } catch {
                failures.append(error)
            }
        }
        return .failure(.joined(failures))
    }

    /// Whether no newer timeline was seen since the connection was made.
    func isCurrent(_ connection: PostgresConnection) -> Bool {
        timelines.withValue { $0.accept(connection.timeline) }
    }
}

/// The newest timeline that a server of a database was seen on.
///
/// A standby that is promoted begins a new one. A server on an older one was the primary before: what it accepts is lost.
struct NewestTimeline {
    private var newest: Int64 = 0

    /// Notes a server's timeline; false for one that is older than another that was seen.
    mutating func accept(_ timeline: Int64?) -> Bool {
        guard let timeline else { return true }
        newest = max(newest, timeline)
        return timeline == newest
    }
}

extension PostgresFailure {
    static let olderTimeline = PostgresFailure(
        .unreachable,
        "it is on an older timeline than another server was, so another one was promoted in its place"
    )

    /// What a round over all servers has brought: transient where one of its failures is.
    static func joined(_ failures: [PostgresFailure]) -> PostgresFailure {
        let kept = failures.first(where: \.isTransient) ?? failures.last
        var messages: [String] = []
        for failure in failures where !messages.contains(failure.message) {
            messages.append(failure.message)
        }
        let message =
            messages.isEmpty
            ? "there was no time left to connect" : messages.joined(separator: "; ")
        return PostgresFailure(.unreachable, state: kept?.state, message)
    }
}
#endif
