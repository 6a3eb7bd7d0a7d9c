// SPDX-License-Identifier: MIT

internal import Onward

/// Estimates how much memory actions take, without looking into each of them.
///
/// Problem: what waits for a journal is bounded in bytes. Examining an action takes longer than
/// committing it, and nothing else on the dispatching thread does.
///
/// Strategy: the size of an action without references is that of its type. Of the others, one in 32
/// is examined, and those in between count as much as the recent ones did; as long as they are
/// large, each is examined, since writing them takes longer still.
final class ActionSizes: Sendable {
    /// The part that decides.
    struct Sampling: Sendable {
        private static let large = 2_048
        private var average: Int?
        private var untilNext = 0

        /// How much the next action counts; nil if it has to be examined.
        mutating func next() -> Int? {
            guard untilNext > 0 else { return nil }
            untilNext -= 1
            return average
        }

        /// Notes what an action takes.
        mutating func note(_ bytes: Int) {
            average = average.map { ($0 * 3 + bytes) / 4 } ?? bytes
            untilNext = max(average ?? 0, bytes) >= Self.large ? 0 : 31
        }
    }

    private let sampling = Guarded(Sampling())

    /// About how many bytes an action takes besides those in its entry.
    func bytes(of action: any Action) -> Int {
        func bytes<A: Action>(_ action: A) -> Int {
            // An existential has room for three words.
            let own = MemoryLayout<A>.size > 24 ? 16 + MemoryLayout<A>.size : 0
            if _isPOD(A.self) { return own }
            if let known = sampling.withValue({ $0.next() }) { return own + known }
            let found = MemoryEstimate.bytes(of: action, since: nil)
            sampling.withValue { $0.note(found) }
            return own + found
        }
        return bytes(action)
    }
}
