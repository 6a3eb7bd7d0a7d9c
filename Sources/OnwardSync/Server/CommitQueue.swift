// SPDX-License-Identifier: MIT

internal import DequeModule
internal import Onward

/// What a store has committed and nobody has taken over yet.
///
/// It is bounded: of what is beyond the limit only the number is known, except for proposals, of
/// which there is one at a time.
final class CommitQueue<State: Sendable>: CommitObserver {
    /// One entry, or several of which nothing else is known.
    enum Item: Sendable {
        case entry(LogEntry, State?)
        case skipped(Int, State?)

        /// The state after it, if it is needed.
        var state: State? {
            switch self {
            case .entry(_, let state), .skipped(_, let state): state
            }
        }
    }

    private struct Contents {
        var items: Deque<Item> = []
        var announcement = Announcement()

        mutating func append(_ entry: LogEntry, _ state: State?, limit: Int) {
            if items.count < limit || entry.origin.proposal != nil {
                items.append(.entry(entry, state))
            } else if case .skipped(let count, _)? = items.last {
                items[items.count - 1] = .skipped(count + 1, state)
            } else {
                items.append(.skipped(1, state))
            }
        }
    }

    private let limit: Int
    private let contents = Guarded(Contents())

    let needs: ObserverNeeds

    /// - Parameters:
    ///   - limit: The limit.
    ///   - needsStates: Whether the states are needed as well.
    init(limit: Int, needsStates: Bool) {
        self.limit = limit
        needs = needsStates ? .after : []
    }

    /// Has a closure called when there is something new, once until it is taken.
    func whenCommitted(_ announce: @escaping @Sendable () -> Void) {
        contents.withValue { $0.announcement.whenMade(announce) }
    }

    func observe(_ commit: Commit<State>) {
        let state = needs.contains(.after) ? commit.after : nil
        let announce = contents.withValue { contents -> (@Sendable () -> Void)? in
            contents.append(commit.entry, state, limit: limit)
            return contents.announcement.make()
        }
        announce?()
    }

    /// What was committed since the last call, in order.
    func take() -> Deque<Item> {
        contents.withValue { contents in
            defer { contents.items = [] }
            contents.announcement.clear()
            return contents.items
        }
    }
}
