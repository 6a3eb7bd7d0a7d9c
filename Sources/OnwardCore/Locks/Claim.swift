// SPDX-License-Identifier: MIT

/// The right to run foreign code that only one thread may run at a time.
///
/// Others wait while that code runs, so it must not wait for them.
package final class Claim: Sendable {
    private let lock = Lock()

    package init() {}

    /// Runs `body` when no other thread does; returns nil at once inside `body`.
    package func run<Result>(_ body: () -> Result) -> Result? {
        let thread = CurrentThread.id
        guard !lock.isOwned(by: thread) else { return nil }
        lock.acquire(as: thread)
        defer { lock.release() }
        return body()
    }
}
