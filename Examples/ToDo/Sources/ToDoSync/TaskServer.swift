// SPDX-License-Identifier: MIT

import Onward
public import OnwardQueries
public import ToDoTasks

/// The server that keeps the list, as far as the app sees it.
public protocol TaskServer: Sendable {
    /// All tasks, in the server's order; throws ``Problem``.
    func tasks() async throws -> [TaskItem]
    /// Does a change; throws ``Problem``.
    func perform(_ change: Change) async throws
}

extension Fetch where Q == AllTasks {
    /// Asks a server for all tasks, which has thirty seconds; nobody is asked if it is nil.
    public init(
        _ answers: any WritableKeyPath<State, QueryCache<AllTasks>> & Sendable,
        while questions: any KeyPath<State, [AllTasks]> & Sendable, from server: (any TaskServer)?
    ) {
        let fetch = Fetch(answers, while: questions) { _, _ async throws(Problem) in
            try await asking { try await server?.tasks() }
        }
        .timeout(after: .seconds(30), failing: .timedOut)
        .keeping(bytes: 0, measuring: { _ in 1 })  // the list has them
        self = server == nil ? fetch.reducersOnly : fetch
    }
}

extension Send where M == Change {
    /// Sends changes to a server, which has thirty seconds for each; none is sent if it is nil.
    public init(
        to server: (any TaskServer)?,
        at list: any WritableKeyPath<State, Overlaid<TaskTable>> & Sendable
    ) {
        let send = Send(Change.self, at: list) { change, _ async throws(Problem) in
            try await asking { try await server?.perform(change) }
        }
        .timeout(after: .seconds(30), failing: .timedOut)
        .pausing(when: { !$0.isRefusal })
        self = server == nil ? send.reducersOnly : send
    }
}

/// What a server answers; whatever else goes wrong, it couldn't be reached.
private func asking<Answer>(
    _ ask: () async throws -> Answer?
) async throws(Problem) -> Answer {
    do { if let answer = try await ask() { return answer } } catch let problem as Problem {
        throw problem
    } catch {}
    throw .unreachable
}
