// SPDX-License-Identifier: MIT

internal import Onward

/// What came of an event, for the state around a cache.
enum QueryStep<Q: Query>: Equatable {
    case none
    /// A request was sent.
    case sent(Int)
    /// An answer was taken, which was asked for after so many mutations had been confirmed.
    case taken(Q, Q.Answer, confirmations: Int)
}

// One event, one method. A request is a row of `requests`: what sends it lives as long as the row, so adding a
// row sends, and removing it cancels.
extension QueryCache {
    /// Takes an action of the query; so many mutations were confirmed so far in what answers are
    /// written to.
    mutating func reduce(
        _ action: QueryAction<Q>, _ rules: QueryRules<Q>, confirmations: Int = 0
    ) -> QueryStep<Q> {
        var step = QueryStep<Q>.none
        switch action {
        case .wanted(let keys, let time):
            stated = keys
            want(stated + held, at: time, rules)
        case .heldChanged(let time): want(stated + held, at: time, rules)
        case .asked(let key, let request, let time):
            step = ask(key, request, at: time, confirmations: confirmations)
        case .answered(let key, let request, let answer, let time):
            step = settle(key, request, answer, at: time, rules, confirmations: confirmations)
        case .received(let key, let request, let answer, let time):
            step = settle(
                key, request, answer.value, at: time, rules, confirmations: confirmations)
        case .failed(let key, let request, let failure, let time):
            fail(key, request, failure, at: time, rules)
        case .elapsed(let time): elapse(to: time, rules)
        case .returned(let time):
            for key in wanted where entries[id: key]?.isFetching == false {
                age(key, at: time, rules)
            }
            refetchStale(rules)
        case .refetch(let key): fetch(key, rules)
        case .prefetch(let key):
            if entries[id: key].map({ !$0.hasAnswer || $0.isStale }) ?? true { fetch(key, rules) }
        case .set(let key, let answer, let time):
            step = set(key, answer, at: time, rules, confirmations: confirmations)
        case .held(let key, let process): hold(key, by: process, 1)
        case .released(let key, let process): hold(key, by: process, -1)
        case .started(let processes): start(without: Set(processes))
        }
        makeRoom(rules)
        nextDeadline = deadlines.first?.at
        return step
    }

    /// Takes what happens to all caches.
    mutating func reduce(_ action: ServerDataAction, _ rules: QueryRules<Q>) {
        switch action {
        case .invalidated(let tags): invalidate(Set(tags), rules)
        case .returned: refetchStale(rules)
        case .inSight(let isInSight): show(isInSight, rules)
        case .online(let isOnline): connect(isOnline, rules)
        case .loggedOut: clear()
        }
        nextDeadline = deadlines.first?.at
    }
}

// MARK: - What is wanted

extension QueryCache {
    private mutating func want(_ keys: [Q], at time: Timestamp, _ rules: QueryRules<Q>) {
        var new: Set<Q> = []
        // A cache holds its count of keys: more can't be wanted at a time.
        let wanted = Array(keys.filter { new.insert($0).inserted }.prefix(rules.count))
        new = Set(wanted)
        let old = Set(self.wanted)
        for key in self.wanted where !new.contains(key) { unwant(key, at: time, rules) }
        self.wanted = wanted
        for key in wanted {
            if entries[id: key] == nil { entries.append(QueryEntry(key)) }
            let isNew = !old.contains(key)
            entries[id: key]?.isWanted = true
            if isNew { age(key, at: time, rules) }
            guard let entry = entries[id: key], !entry.isFetching else { continue }
            // A failure is tried again for whoever comes newly, not for those who have seen it.
            if isNew
                ? !entry.hasAnswer || entry.isStale || entry.failure != nil
                : !entry.hasAnswer && entry.failure == nil
            {
                send(key, rules)
            } else {
                schedule(key, rules)
            }
        }
    }

    private mutating func unwant(_ key: Q, at time: Timestamp, _ rules: QueryRules<Q>) {
        guard let request = request(of: key) else {
            entries[id: key]?.isWanted = false
            return touch(key, at: time, rules)
        }
        entries[id: key]?.isWanted = false
        if !request.isByHand {
            endRequest(request.id, rules)
            touch(key, at: time, rules)
        }
    }

    private mutating func hold(_ key: Q, by process: UInt64, _ change: Int) {
        let hold = QueryHold(key: key, process: process)
        let count = holds[hold, default: 0] + change
        holds[hold] = count > 0 ? count : nil
        updateHeld(key)
    }

    private mutating func start(without processes: Set<UInt64>) {
        let others = holds.keys.filter { processes.contains($0.process) }
        for hold in others { holds[hold] = nil }
        for hold in others { updateHeld(hold.key) }
        // What was written nowhere is asked for again where it is wanted.
        for id in Array(entries.ids) where entries[id: id]?.fields.isWithheld == true {
            entries[id: id]?.fields.isWithheld = false
            entries[id: id]?.isStale = true
            entries[id: id]?.failure = nil
            if entries[id: id]?.isWanted != true, entries[id: id]?.isFetching != true { drop(id) }
        }
    }

    private mutating func updateHeld(_ key: Q) {
        let isHeld = holds.keys.contains { $0.key == key }
        if isHeld == held.contains(key) { return }
        generation += 1
        if isHeld { held.append(key) } else { held.removeAll { $0 == key } }
    }
}

// MARK: - Requests

extension QueryCache {
    private func request(of key: Q) -> QueryRequest<Q>? {
        guard entries[id: key]?.isFetching == true else { return nil }
        return requests.first { $0.key == key } ?? waiting.first { $0.key == key }
    }

    /// Asks for a key by hand.
    private mutating func fetch(_ key: Q, _ rules: QueryRules<Q>) {
        if let request = request(of: key) {
            requests.update(id: request.id) { $0.isByHand = true }
            waiting.update(id: request.id) { $0.isByHand = true }
            return
        }
        if entries[id: key] == nil {
            makeRoom(rules, for: 1)
            guard entries.count < rules.count else { return }
            entries.append(QueryEntry(key))
        }
        send(key, rules, isByHand: true)
    }

    /// Sends a request, or has it wait for its turn; the key has an entry and no request.
    private mutating func send(
        _ key: Q, _ rules: QueryRules<Q>, isByHand: Bool = false, repeats: Int = 0
    ) {
        let request = QueryRequest(
            id: nextRequest, key: key, isByHand: isByHand, repeats: repeats)
        nextRequest += 1
        entries[id: key]?.isFetching = true
        setDeadline(nil, of: key)
        waiting.append(request)
        sendWaiting(rules)
    }

    private mutating func sendWaiting(_ rules: QueryRules<Q>) {
        while isOnline, requests.count < max(1, rules.requests), let next = waiting.first {
            waiting.remove(id: next.id)
            requests.append(next)
        }
    }

    private mutating func endRequest(_ id: Int, _ rules: QueryRules<Q>) {
        guard let request = requests.remove(id: id) ?? waiting.remove(id: id) else { return }
        entries[id: request.key]?.isFetching = false
        sendWaiting(rules)
    }

    private mutating func ask(
        _ key: Q, _ id: Int, at time: Timestamp, confirmations: Int
    ) -> QueryStep<Q> {
        guard requests[id: id]?.key == key else { return .none }
        requests.update(id: id) {
            $0.askedAt = time
            $0.attempts += 1
            $0.confirmations = confirmations
            $0.invalidated = []
            $0.isOutdated = false
        }
        return .sent(id)
    }

    private mutating func settle(
        _ key: Q, _ id: Int, _ answer: Q.Answer?, at time: Timestamp, _ rules: QueryRules<Q>,
        confirmations: Int
    ) -> QueryStep<Q> {
        guard let request = requests[id: id], request.key == key else { return .none }
        let tags = answer.map { rules.tags(key, $0) } ?? []
        let isInvalidated =
            request.isOutdated || tags.contains { request.invalidated.contains($0) }
        let isOutdated = isInvalidated || request.confirmations != confirmations
        endRequest(id, rules)
        // The first of the mutations that were confirmed since could not be applied over it any more.
        let isTooOld = confirmations - request.confirmations > rememberedConfirmations
        if isTooOld || isOutdated && request.repeats < QueryRules<Q>.repeatLimit {
            send(key, rules, isByHand: request.isByHand, repeats: request.repeats + 1)
            return .none
        }
        take(answer, tags, of: key, at: time, isStale: isOutdated, rules)
        // It shows, as things change faster than the server answers; what is wanted is asked for on.
        if isOutdated, entries[id: key]?.isWanted == true { send(key, rules) }
        return answer.map { .taken(key, $0, confirmations: request.confirmations) } ?? .none
    }

    private mutating func fail(
        _ key: Q, _ id: Int, _ failure: Q.Failure, at time: Timestamp, _ rules: QueryRules<Q>
    ) {
        guard requests[id: id]?.key == key else { return }
        endRequest(id, rules)
        entries[id: key]?.failure = failure
        touch(key, at: time, rules)
    }

    private mutating func set(
        _ key: Q, _ answer: Q.Answer, at time: Timestamp, _ rules: QueryRules<Q>, confirmations: Int
    ) -> QueryStep<Q> {
        if Q.isTransient { return .none }
        if entries[id: key] == nil {
            makeRoom(rules, for: 1)
            guard entries.count < rules.count else { return .none }
            entries.append(QueryEntry(key))
        }
        take(answer, rules.tags(key, answer), of: key, at: time, isStale: false, rules)
        return .taken(key, answer, confirmations: confirmations)
    }

    private mutating func take(
        _ answer: Q.Answer?, _ tags: [QueryTag], of key: Q, at time: Timestamp, isStale: Bool,
        _ rules: QueryRules<Q>
    ) {
        setTags(tags, of: key)
        let bytes = answer.map { max(0, rules.measure($0)) } ?? 0
        byteCount += bytes - (entries[id: key]?.fields.bytes ?? 0)
        entries.update(id: key) {
            $0 = $0.answered(answer, at: time, isStale: isStale, bytes: bytes)
        }
        touch(key, at: time, rules)
    }
}

// MARK: - Freshness

extension QueryCache {
    /// An answer that has become too old is stale.
    private mutating func age(_ key: Q, at time: Timestamp, _ rules: QueryRules<Q>) {
        guard let entry = entries[id: key], !entry.isStale, let answeredAt = entry.answeredAt,
            let freshFor = rules.freshFor, answeredAt + freshFor <= time
        else { return }
        entries[id: key]?.isStale = true
    }

    private mutating func elapse(to time: Timestamp, _ rules: QueryRules<Q>) {
        while let next = deadlines.first, next.at <= time {
            deadlines.remove(id: next.id)
            entries[id: next.id]?.fields.deadline = nil
            guard let entry = entries[id: next.id] else { continue }
            guard entry.isWanted else {
                drop(next.id)
                continue
            }
            age(next.id, at: time, rules)
            if isPollDue(entry, at: time, rules) {
                send(next.id, rules)
            } else {
                schedule(next.id, rules)
            }
        }
    }

    private func isPollDue(_ entry: QueryEntry<Q>, at time: Timestamp, _ rules: QueryRules<Q>)
        -> Bool
    {
        guard let poll = poll(entry, rules) else { return false }
        return poll <= time
    }

    /// When an entry is polled next.
    private func poll(_ entry: QueryEntry<Q>, _ rules: QueryRules<Q>) -> Timestamp? {
        guard let interval = rules.interval, interval > .zero, isInSight, !entry.isFetching
        else { return nil }
        return entry.fields.touchedAt.map { $0 + interval }
    }

    private mutating func invalidate(_ tags: Set<QueryTag>, _ rules: QueryRules<Q>) {
        for id in Array(requests.ids) {
            requests.update(id: id) { request in
                request.invalidated.formUnion(tags)
                if request.invalidated.count > QueryRules<Q>.invalidatedLimit {
                    request.invalidated = []
                    request.isOutdated = true
                }
            }
        }
        var keys: Set<Q> = []
        for tag in tags { keys.formUnion(tagged[id: tag]?.keys ?? []) }
        // In an order that doesn't depend on hashing, so that a replay sends the same.
        let found = wanted.filter(keys.contains) + keys.filter { entries[id: $0]?.isWanted != true }
        for key in found {
            guard let entry = entries[id: key] else { continue }
            entries[id: key]?.isStale = true
            if entry.isWanted, !entry.isFetching { send(key, rules) }
        }
    }

    private mutating func refetchStale(_ rules: QueryRules<Q>) {
        for key in wanted {
            guard let entry = entries[id: key], !entry.isFetching else { continue }
            if entry.isStale || entry.failure != nil || !entry.hasAnswer { send(key, rules) }
        }
    }

    private mutating func show(_ isInSight: Bool, _ rules: QueryRules<Q>) {
        self.isInSight = isInSight
        for key in wanted where entries[id: key]?.isFetching == false { schedule(key, rules) }
    }

    private mutating func connect(_ isOnline: Bool, _ rules: QueryRules<Q>) {
        let returns = isOnline && !self.isOnline
        self.isOnline = isOnline
        guard returns else { return }
        sendWaiting(rules)
        refetchStale(rules)
    }

    private mutating func clear() {
        var new = QueryCache()
        new.nextRequest = nextRequest
        new.isInSight = isInSight
        new.isOnline = isOnline
        (new.holds, new.held, new.stated) = (holds, held, stated)
        new.generation = generation + 1
        self = new
    }
}

// MARK: - What is kept

extension QueryCache {
    /// A key was answered, failed, or is no longer wanted.
    private mutating func touch(_ key: Q, at time: Timestamp, _ rules: QueryRules<Q>) {
        guard let entry = entries[id: key] else { return }
        if !entry.isWanted, !entry.hasAnswer, !entry.isFetching { return drop(key) }
        entries[id: key]?.fields.touchedAt = time
        schedule(key, rules)
    }

    /// Sets when something has to be done about a key next.
    private mutating func schedule(_ key: Q, _ rules: QueryRules<Q>) {
        guard let entry = entries[id: key] else { return }
        guard !entry.isFetching else { return setDeadline(nil, of: key) }
        guard entry.isWanted else {
            return setDeadline(entry.fields.touchedAt.map { $0 + rules.keepsUnused }, of: key)
        }
        var next = poll(entry, rules)
        if !entry.isStale, let answeredAt = entry.answeredAt, let freshFor = rules.freshFor {
            let stale = answeredAt + freshFor
            next = next.map { min($0, stale) } ?? stale
        }
        setDeadline(next, of: key)
    }

    mutating func setDeadline(_ deadline: Timestamp?, of key: Q) {
        guard let entry = entries[id: key], entry.fields.deadline != deadline else { return }
        entries[id: key]?.fields.deadline = deadline
        deadlines[id: key] = deadline.map { QueryDeadline(id: key, at: $0) }
    }

    private mutating func drop(_ key: Q) {
        guard let entry = entries[id: key] else { return }
        setTags([], of: key)
        byteCount -= entry.fields.bytes
        deadlines.remove(id: key)
        entries.remove(id: key)
    }

    /// Drops the keys that were unwanted longest, down to the limits.
    private mutating func makeRoom(_ rules: QueryRules<Q>, for more: Int = 0) {
        guard entries.count + more > rules.count || byteCount > rules.bytes else { return }
        for key in deadlines.map(\.id) where entries[id: key]?.isWanted == false {
            guard entries.count + more > rules.count || byteCount > rules.bytes else { return }
            drop(key)
        }
    }

    mutating func setTags(_ tags: [QueryTag], of key: Q) {
        guard let old = entries[id: key]?.tags, old != tags else { return }
        entries[id: key]?.tags = tags
        let (oldTags, newTags) = (Set(old), Set(tags))
        for tag in oldTags.subtracting(newTags) {
            tagged.update(id: tag) { $0.keys.remove(key) }
            if tagged[id: tag]?.keys.isEmpty == true { tagged.remove(id: tag) }
        }
        for tag in tags where !oldTags.contains(tag) {
            if tagged[id: tag] == nil { tagged.append(TaggedKeys(id: tag, keys: [])) }
            tagged.update(id: tag) { $0.keys.insert(key) }
        }
    }
}
