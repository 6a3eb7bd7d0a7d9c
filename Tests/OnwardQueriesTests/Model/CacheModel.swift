// SPDX-License-Identifier: MIT

import Onward

@testable import OnwardQueries

/// What a `QueryCache` must do, without tables, indexes and deadlines: every question is answered by looking at all keys.
struct CacheModel {
    struct Request {
        var isByHand = false
        var repeats = 0
        var invalidated: Set<QueryTag> = []
        var confirmations = 0
    }

    struct Key {
        var value: Page?
        var answeredAt: Timestamp?
        var failure: APIError?
        var isStale = false
        var isWanted = false
        var touchedAt: Timestamp?
        var request: Request?
    }

    var keys: [Notes: Key] = [:]
    var isInSight = true
    var isOnline = true

    private func tags(_ page: Page) -> Set<QueryTag> { Set(page.notes.map { .note($0.id) }) }

    private func isOld(_ key: Key, at time: Timestamp, _ rules: QueryRules<Notes>) -> Bool {
        guard let answeredAt = key.answeredAt, let freshFor = rules.freshFor else { return false }
        return answeredAt + freshFor <= time
    }

    /// A key was answered, failed, or is no longer wanted.
    private mutating func touch(_ id: Notes, at time: Timestamp) {
        guard let key = keys[id] else { return }
        if !key.isWanted, key.value == nil, key.request == nil {
            keys[id] = nil
        } else {
            keys[id]?.touchedAt = time
        }
    }

    mutating func want(_ wanted: Set<Notes>, at time: Timestamp, _ rules: QueryRules<Notes>) {
        for (id, key) in keys where key.isWanted && !wanted.contains(id) {
            keys[id]?.isWanted = false
            if key.request?.isByHand != true {
                keys[id]?.request = nil
                touch(id, at: time)
            }
        }
        for id in wanted {
            var key = keys[id] ?? Key()
            let isNew = !key.isWanted
            key.isWanted = true
            if isNew {
                key.isStale = key.isStale || isOld(key, at: time, rules)
                if key.request == nil, key.value == nil || key.isStale || key.failure != nil {
                    key.request = Request()
                }
            } else if key.request == nil, key.value == nil, key.failure == nil {
                key.request = Request()
            }
            keys[id] = key
        }
    }

    mutating func fetch(_ id: Notes) {
        var key = keys[id] ?? Key()
        var request = key.request ?? Request()
        request.isByHand = true
        key.request = request
        keys[id] = key
    }

    mutating func asked(_ id: Notes, confirmations: Int) {
        keys[id]?.request?.invalidated = []
        keys[id]?.request?.confirmations = confirmations
    }

    /// Whether the answer is taken.
    mutating func answered(_ id: Notes, _ page: Page, at time: Timestamp, confirmations: Int)
        -> Bool
    {
        guard var key = keys[id], var request = key.request else { return false }
        let isInvalidated = !tags(page).isDisjoint(with: request.invalidated)
        let isOutdated = isInvalidated || request.confirmations != confirmations
        let isTooOld = confirmations - request.confirmations > 100
        if isTooOld || isOutdated && request.repeats < 2 {
            request.repeats += 1
            request.invalidated = []
            key.request = request
            keys[id] = key
            return false
        }
        key.request = nil
        key.value = page
        key.answeredAt = time
        key.failure = nil
        key.isStale = isOutdated
        keys[id] = key
        touch(id, at: time)
        if isOutdated, key.isWanted { keys[id]?.request = Request() }
        return true
    }

    mutating func failed(_ id: Notes, _ failure: APIError, at time: Timestamp) {
        keys[id]?.request = nil
        keys[id]?.failure = failure
        touch(id, at: time)
    }

    mutating func elapsed(to time: Timestamp, _ rules: QueryRules<Notes>) {
        for (id, key) in keys where key.request == nil {
            if key.isWanted {
                if isOld(key, at: time, rules) { keys[id]?.isStale = true }
                if let interval = rules.interval, isInSight, let touchedAt = key.touchedAt,
                    touchedAt + interval <= time
                {
                    keys[id]?.request = Request()
                }
            } else if let touchedAt = key.touchedAt, touchedAt + rules.keepsUnused <= time {
                keys[id] = nil
            }
        }
    }

    mutating func invalidate(_ invalidated: Set<QueryTag>) {
        for (id, key) in keys {
            keys[id]?.request?.invalidated.formUnion(invalidated)
            guard let page = key.value, !tags(page).isDisjoint(with: invalidated) else { continue }
            keys[id]?.isStale = true
            if key.isWanted, key.request == nil { keys[id]?.request = Request() }
        }
    }

    mutating func refetchStale() {
        for (id, key) in keys where key.isWanted && key.request == nil {
            if key.isStale || key.failure != nil || key.value == nil {
                keys[id]?.request = Request()
            }
        }
    }

    mutating func returned(at time: Timestamp, _ rules: QueryRules<Notes>) {
        for (id, key) in keys where key.isWanted && key.request == nil {
            if isOld(key, at: time, rules) { keys[id]?.isStale = true }
        }
        refetchStale()
    }

    mutating func connect(_ isOnline: Bool) {
        let returns = isOnline && !self.isOnline
        self.isOnline = isOnline
        if returns { refetchStale() }
    }

    mutating func clear() { keys = [:] }

    /// What is wrong with a cache; nil if nothing is.
    ///
    /// Keys that the cache dropped for lack of room are dropped here, too, if the choice was right.
    mutating func difference(from cache: QueryCache<Notes>, _ rules: QueryRules<Notes>) -> String? {
        let gone = keys.filter { cache.entries[id: $0.key] == nil }
        let unwanted = cache.entries.filter { !$0.isWanted && !$0.isFetching }
        for (id, key) in gone {
            guard !key.isWanted, key.request == nil else {
                return "\(id) was dropped, but is needed"
            }
            guard cache.entries.count >= rules.count - 1 else {
                return "\(id) was dropped too early"
            }
            guard
                unwanted.allSatisfy({
                    ($0.fields.touchedAt ?? .seconds(0)) >= (key.touchedAt ?? .seconds(0))
                })
            else { return "\(id) was dropped before an older one" }
            keys[id] = nil
        }
        guard keys.count == cache.entries.count else { return "there are other keys" }
        if cache.entries.count > rules.count, !unwanted.isEmpty {
            return "too many keys are kept"
        }
        for entry in cache.entries {
            guard let key = keys[entry.id] else { return "\(entry.id) is unexpected" }
            if key.value != entry.value { return "\(entry.id): value \(entry.value as Any)" }
            if key.failure != entry.failure {
                return "\(entry.id): failure \(entry.failure as Any)"
            }
            if key.isStale != entry.isStale { return "\(entry.id): stale \(entry.isStale)" }
            if key.isWanted != entry.isWanted { return "\(entry.id): wanted \(entry.isWanted)" }
            if (key.request != nil) != entry.isFetching {
                return "\(entry.id): asked \(entry.isFetching)"
            }
        }
        return disorder(in: cache, rules)
    }

    /// What holds for every cache by itself.
    private func disorder(in cache: QueryCache<Notes>, _ rules: QueryRules<Notes>) -> String? {
        let requests = Array(cache.requests) + Array(cache.waiting)
        if Set(requests.map(\.key)).count != requests.count { return "a key has two requests" }
        if Set(requests.map(\.key)) != Set(cache.entries.filter(\.isFetching).map(\.id)) {
            return "requests are not those of the keys that are asked for"
        }
        if cache.requests.count > rules.requests { return "too many requests at a time" }
        if cache.isOnline, !cache.waiting.isEmpty, cache.requests.count < rules.requests {
            return "a request waits for nothing"
        }
        if cache.byteCount != cache.entries.reduce(0, { $0 + $1.fields.bytes }) {
            return "bytes are miscounted"
        }
        if cache.nextDeadline != cache.deadlines.map(\.at).min() {
            return "the next deadline is wrong"
        }
        for entry in cache.entries {
            if entry.fields.deadline != cache.deadlines[id: entry.id]?.at {
                return "deadlines differ"
            }
            for tag in entry.tags where cache.tagged[id: tag]?.keys.contains(entry.id) != true {
                return "a tag doesn't find its key"
            }
        }
        return cache.tagged.contains { $0.keys.isEmpty } ? "a tag without keys is kept" : nil
    }
}
