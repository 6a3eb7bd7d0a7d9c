// SPDX-License-Identifier: MIT

/// The right to fetch: for so many at once, the others in turn, and not for more than may wait.
///
/// Each fetch takes files of the process, of which there are only so many.
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
