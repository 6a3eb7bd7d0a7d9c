// SPDX-License-Identifier: MIT

public import ToDoTasks

/// The server that keeps the list, as far as the app sees it.
public protocol TaskServer: Sendable {
    /// All tasks, in the server's order; throws ``Problem``.
    func tasks() async throws -> [TaskItem]
    /// Does a change; throws ``Problem``.
    func perform(_ change: Change) async throws
}
