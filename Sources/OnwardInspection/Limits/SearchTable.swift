// SPDX-License-Identifier: MIT

internal import Onward

/// Which searches for shortest tests are wanted, how far they are, and what the last ones found: a
/// machine without clock and threads.
///
/// A search goes on while a request waits for it, or a page has asked for it within the last few
/// seconds. Searches begin in the order in which they were asked for; the shell runs them one at a
/// time.
struct SearchTable<Key: Hashable & Sendable>: Sendable {
    /// How long a page that has asked counts as interested.
    static var lease: Duration { .seconds(3) }
    /// How many searches wait at most, and how many results are kept.
    static var mostWaiting: Int { 8 }
    static var mostKept: Int { 8 }

    private enum Phase: Sendable {
        case waiting
        case searching(entries: Int, runs: Int)
        case ended(Result<FoundTest, InspectorError>)
    }

    private struct Search: Sendable {
        var phase = Phase.waiting
        var leaseEnd: Duration
        /// The requests that wait for the result.
        var waiters: Set<Int> = []

        var isEnded: Bool {
            if case .ended = phase { return true }
            return false
        }
    }

    private var searches: [Key: Search] = [:]
    /// The keys of the searches, the oldest first.
    private var order: [Key] = []
    private var lastWaiter = 0
    /// Grows with everything that a page may show.
    private(set) var revision = 0

    /// How far a search is.
    func status(of key: Key) -> ShortestTest {
        switch searches[key]?.phase {
        case nil: .none
        case .waiting: .waiting
        case .searching(let entries, let runs): .searching(entries: entries, runs: runs)
        case .ended(.success(let found)): .found(found)
        case .ended(.failure(let problem)): .failed(problem)
        }
    }

    /// What to do for someone who wants a search.
    enum Start: Sendable, Hashable {
        /// It is on its way, or has ended.
        case known
        /// The shell has to line it up.
        case new
        /// Too many are waiting.
        case refused
    }

    /// A page asks for a search, and has to do so again while the lease lasts.
    mutating func ask(_ key: Key, at now: Duration) -> Start {
        let start = add(key, at: now)
        searches[key]?.leaseEnd = now + Self.lease
        return start
    }

    /// A request waits for a search.
    ///
    /// - Returns: The number of the waiter, or nil if the result is there or can't be waited for;
    ///   and what to do.
    mutating func join(_ key: Key, at now: Duration) -> (waiter: Int?, start: Start) {
        let start = add(key, at: now)
        guard start != .refused, searches[key]?.isEnded == false else { return (nil, start) }
        lastWaiter += 1
        searches[key]?.waiters.insert(lastWaiter)
        return (lastWaiter, start)
    }

    /// A request no longer waits.
    mutating func leave(_ key: Key, _ waiter: Int) { searches[key]?.waiters.remove(waiter) }

    /// Whether someone still wants a search.
    func isWanted(_ key: Key, at now: Duration) -> Bool {
        searches[key].map { !$0.waiters.isEmpty || now < $0.leaseEnd } ?? false
    }

    /// A search has begun, or got further.
    mutating func note(_ key: Key, entries: Int, runs: Int) {
        guard searches[key]?.isEnded == false else { return }
        searches[key]?.phase = .searching(entries: entries, runs: runs)
        revision += 1
    }

    /// A search has ended; one that nobody wanted any more is forgotten.
    ///
    /// - Returns: The requests that wait for it.
    mutating func end(
        _ key: Key, with result: Result<FoundTest, InspectorError>?
    ) -> Set<Int> {
        revision += 1
        let waiters = searches[key]?.waiters ?? []
        guard let result else {
            forget(key)
            return waiters
        }
        searches[key]?.phase = .ended(result)
        searches[key]?.waiters = []
        let ended = order.filter { searches[$0]?.isEnded == true }
        for key in ended.dropLast(Self.mostKept) { forget(key) }
        return waiters
    }

    private mutating func add(_ key: Key, at now: Duration) -> Start {
        if searches[key] != nil { return .known }
        guard order.count(where: { searches[$0]?.isEnded == false }) < Self.mostWaiting else {
            return .refused
        }
        searches[key] = Search(leaseEnd: now)
        order.append(key)
        revision += 1
        return .new
    }

    private mutating func forget(_ key: Key) {
        searches[key] = nil
        order.removeAll { $0 == key }
    }
}
