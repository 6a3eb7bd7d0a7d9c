// SPDX-License-Identifier: MIT

internal import OnwardCore

// Which tasks wait for which effects to end. Each event looks only at the goals that it may have
// reached, so that an end costs the same no matter how many tasks wait.
//
// An effect that itself waits for effects is not at work. So two effects that both wait for all
// others don't wait for each other; a task that waits from outside waits for both. An effect in a
// queue, or one that waits for its own parts, is not at work either: the effects before it, and
// each part, count for themselves.

extension EffectTable {
    /// What a task waits for.
    enum Goal: Hashable, Sendable {
        /// All effects have ended, except those of a state.
        case idle
        /// The same, except those that wait for effects themselves; for one of these.
        case othersIdle
        /// All effects have ended.
        case empty
        /// The effects of an entry have ended.
        case end(of: CommitVersion)
    }

    /// What an effect waits for.
    enum Target: Hashable {
        case effectsOf(CommitVersion)
        case effect(Key)
    }

    /// Which effects wait for which others, both ways, so that an effect is found by one that waits
    /// for it, and the other way round.
    struct Links {
        /// What effects wait for that wait for others.
        var targets: [Key: [Target]] = [:]
        /// The effects that wait for something.
        var waiting: [Target: Set<Key>] = [:]
        /// The effects that an effect waits for, as its parts or for their results.
        var parts: [Key: Set<Key>] = [:]
        /// The effects of an entry that are queued or wait for others.
        var linked: [CommitVersion: Set<Key>] = [:]

        var isEmpty: Bool {
            targets.isEmpty && waiting.isEmpty && parts.isEmpty && linked.isEmpty
        }
    }

    struct Counts {
        var all = 0
        var blocking = 0
        /// How many of those wait for effects.
        var waiting = 0
        var entries = EntryCounts()

        mutating func add(_ traits: Traits) {
            all += 1
            guard traits.blocksIdle else { return }
            blocking += 1
            if let version = traits.version { entries.add(version) }
        }

        mutating func remove(_ traits: Traits, isWaiting: Bool) {
            all -= 1
            guard traits.blocksIdle else { return }
            blocking -= 1
            if isWaiting { waiting -= 1 }
            if let version = traits.version { entries.remove(version) }
        }
    }

    /// Whether nothing is left to wait for.
    func isReached(_ goal: Goal) -> Bool {
        switch goal {
        case .idle: due.isEmpty && counts.blocking == 0
        case .othersIdle: due.isEmpty && counts.blocking == counts.waiting
        case .empty: counts.all == 0
        case .end(let version): !due.contains(version) && !counts.entries.contains(version)
        }
    }

    // MARK: Effects that wait

    /// These effects, each of which waits for the one before it, wait for others from here on; nil
    /// when all of them are over.
    mutating func rest(_ keys: [Key], on target: Target?) -> [Step]? {
        let present = keys.filter { self[$0] != nil }
        guard !present.isEmpty else { return nil }
        var steps = present.flatMap { beginWaiting($0) }
        if let target, let first = present.first {
            links.targets[first, default: []].append(target)
            links.waiting[target, default: []].insert(first)
            noteLinks(of: first)
            steps += refusals(behind: first)
        }
        return steps
    }

    /// These effects no longer wait for others.
    mutating func goOn(_ keys: [Key], from target: Target?) {
        for key in keys { endWaiting(key) }
        guard let target, let first = keys.first,
            let index = links.targets[first]?.firstIndex(of: target)
        else { return }
        links.targets[first]?.remove(at: index)
        if links.targets[first]?.contains(target) != true { stopWaiting(first, for: target) }
        if links.targets[first]?.isEmpty == true { links.targets[first] = nil }
        noteLinks(of: first)
    }

    /// The effects that cannot go on before this one has ended.
    mutating func effects(waitingFor key: Key) -> Set<Key> {
        reach(from: key) { links, key, traits in
            var waiting = traits.whole.map { [$0] } ?? []
            guard !links.waiting.isEmpty else { return waiting }
            waiting += links.waiting[.effect(key)] ?? []
            if let version = traits.version { waiting += links.waiting[.effectsOf(version)] ?? [] }
            return waiting
        }
    }

    /// The effects that have to end before this one can go on, as far as they are queued or wait
    /// themselves.
    mutating func effects(awaitedBy key: Key) -> Set<Key> {
        reach(from: key) { links, key, _ in
            var awaited = Array(links.parts[key] ?? [])
            for target in links.targets[key] ?? [] {
                switch target {
                case .effect(let key): awaited.append(key)
                case .effectsOf(let version): awaited += links.linked[version] ?? []
                }
            }
            return awaited
        }
    }

    /// The effects that links lead to.
    private mutating func reach(
        from key: Key, by next: (Links, Key, Traits) -> [Key]
    ) -> Set<Key> {
        var found: Set<Key> = []
        var open = [key]
        while let key = open.popLast() {
            visits += 1
            guard let traits = self[key]?.traits else { continue }
            open += next(links, key, traits).filter { found.insert($0).inserted }
        }
        return found
    }

    /// Keeps an effect among the linked ones of its entry as long as it is one.
    mutating func noteLinks(of key: Key) {
        guard let entry = self[key], let version = entry.traits.version else { return }
        if entry.phase == .queued || links.targets[key] != nil || links.parts[key] != nil {
            links.linked[version, default: []].insert(key)
        } else if !links.linked.isEmpty {
            unlink(key, version)
        }
    }

    /// Forgets the links of an effect that is over.
    mutating func removeLinks(of entry: Entry) {
        let key = entry.key
        if !links.targets.isEmpty, let targets = links.targets.removeValue(forKey: key) {
            for target in targets { stopWaiting(key, for: target) }
        }
        if !links.parts.isEmpty { links.parts[key] = nil }
        if let version = entry.traits.version, !links.linked.isEmpty { unlink(key, version) }
        guard let whole = entry.traits.whole else { return }
        links.parts[whole]?.remove(key)
        if links.parts[whole]?.isEmpty == true { links.parts[whole] = nil }
        noteLinks(of: whole)
    }

    private mutating func stopWaiting(_ key: Key, for target: Target) {
        links.waiting[target]?.remove(key)
        if links.waiting[target]?.isEmpty == true { links.waiting[target] = nil }
    }

    private mutating func unlink(_ key: Key, _ version: CommitVersion) {
        links.linked[version]?.remove(key)
        if links.linked[version]?.isEmpty == true { links.linked[version] = nil }
    }

    mutating func beginWaiting(_ key: Key) -> [Step] {
        update(key) { $0.waits += 1 }
        guard let entry = self[key], entry.traits.blocksIdle, entry.waits == 1 else { return [] }
        counts.waiting += 1
        return served([.othersIdle])
    }

    /// An effect that waited is at work again; nothing when it did not wait.
    mutating func endWaiting(_ key: Key) {
        guard let entry = self[key], entry.waits > 0 else { return }
        update(key) { $0.waits -= 1 }
        if entry.waits == 1, entry.traits.blocksIdle { counts.waiting -= 1 }
    }

    // MARK: Commits

    /// The effects of a commit are still to be made.
    mutating func expect(_ version: CommitVersion) { due.insert(version) }

    /// The effects of a commit were made.
    mutating func responded(to version: CommitVersion) -> [Step] {
        due.remove(version)
        return served([.end(of: version), .idle, .othersIdle])
    }

    // MARK: Tasks that wait

    mutating func nextWaiter() -> UInt64 {
        lastWaiter += 1
        return lastWaiter
    }

    /// Keeps a task that waits; false when its goal is reached already.
    mutating func wait(for goal: Goal, _ number: UInt64, _ waiter: Waiter) -> Bool {
        if isReached(goal) { return false }
        waiters[goal, default: [:]][number] = waiter
        return true
    }

    /// A task no longer waits; nil when its wait is already over.
    mutating func cancelWait(_ goal: Goal, _ number: UInt64) -> Waiter? {
        let waiter = waiters[goal]?.removeValue(forKey: number)
        if waiters[goal]?.isEmpty == true { waiters[goal] = nil }
        return waiter
    }

    /// The tasks that the end of an effect serves.
    mutating func served(by traits: Traits) -> [Step] {
        guard !waiters.isEmpty else { return [] }
        guard traits.blocksIdle else { return served([.empty]) }
        return served([.empty, .idle, .othersIdle] + (traits.version.map { [.end(of: $0)] } ?? []))
    }

    private mutating func served(_ goals: [Goal]) -> [Step] {
        guard !waiters.isEmpty else { return [] }
        return goals.flatMap { goal in
            guard waiters[goal] != nil, isReached(goal) else { return [Step]() }
            return (waiters.removeValue(forKey: goal) ?? [:]).values.map { .resume($0) }
        }
    }
}
