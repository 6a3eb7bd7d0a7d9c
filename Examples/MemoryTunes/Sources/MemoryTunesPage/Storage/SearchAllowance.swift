// SPDX-License-Identifier: MIT

import OnwardServer
import Synchronization

/// How often a visitor may have the catalogue searched: a limited number of times a minute.
final class SearchAllowance: Sendable {
    /// How many searches a visitor has in a minute.
    static let perMinute = 12

    private let elapsed: @Sendable () -> Duration
    private let searches = Mutex<[VisitorID: [Duration]]>([:])

    convenience init() { self.init(clock: ContinuousClock()) }

    init<C: Clock>(clock: C) where C.Duration == Duration {
        let begin = clock.now
        elapsed = { begin.duration(to: clock.now) }
    }

    /// Whether a visitor may search now, which then counts.
    func take(_ visitor: VisitorID) -> Bool {
        let now = elapsed()
        return searches.withLock { searches in
            // Visitors that have not searched for a minute need not be remembered.
            if searches.count > 1_000 {
                searches = searches.filter {
                    $0.value.last.map { now - $0 < .seconds(60) } ?? false
                }
            }
            var recent = searches[visitor, default: []].filter { now - $0 < .seconds(60) }
            defer { searches[visitor] = recent }
            guard recent.count < Self.perMinute else { return false }
            recent.append(now)
            return true
        }
    }
}
