// SPDX-License-Identifier: MIT

/// The right to fetch: a few fetches run at once, others wait in turn, up to a limit.
///
/// Each fetch takes file descriptors, of which a process has a limited number.
actor FetchSlots {
    private let limit, waitingLimit: Int
    private var taken = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(limit: Int = 8, waitingLimit: Int = 1_000) {
        self.limit = limit
        self.waitingLimit = waitingLimit
    }

    /// Runs a fetch in its turn; nil if too many wait.
    func run<Result: Sendable>(_ fetch: @Sendable () async -> Result) async -> Result? {
        if taken < limit {
            taken += 1
        } else {
            guard waiting.count < waitingLimit else { return nil }
            await withCheckedContinuation { waiting.append($0) }
        }
        // A fetch that leaves hands the slot on.
        defer {
            if waiting.isEmpty { taken -= 1 } else { waiting.removeFirst().resume() }
        }
        return await fetch()
    }
}
