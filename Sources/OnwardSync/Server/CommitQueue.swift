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
        case entry(LogEntry)
        case skipped(Int)
    }

    private struct Contents {
        var items: Deque<Item> = []
        var announcement = Announcement()

        mutating func append(_ entry: LogEntry, limit: Int) {
            if items.count < limit || entry.origin.proposal != nil {
                items.append(.entry(entry))
            } else if case .skipped(let count)? = items.last {
                items[items.count - 1] = .skipped(count + 1)
            } else {
                items.append(.skipped(1))
            }
        }
    }

    private let limit: Int
    private let contents = Guarded(Contents())

    init(limit: Int) {
        self.limit = limit
    }

    /// Has a closure called when there is something new, once until it is taken.
    func whenCommitted(_ announce: @escaping @Sendable () -> Void) {
        contents.withValue { $0.announcement.whenMade(announce) }
    }

    func observe(_ commit: Commit<State>) {
        let announce = contents.withValue { contents -> (@Sendable () -> Void)? in
            contents.append(commit.entry, limit: limit)
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
