// SPDX-License-Identifier: MIT

internal import OnwardCore

extension Task where Success == Void, Failure == Never {
    /// A task that prefers an executor; for nil a plain task, which costs less than a task that is
    /// asked to prefer none.
    init(
        on executor: (any TaskExecutor)?, _ operation: @escaping @Sendable () async -> Void
    ) {
        if let executor {
            self.init(executorPreference: executor, operation: operation)
        } else {
            self.init(operation: operation)
        }
    }
}
