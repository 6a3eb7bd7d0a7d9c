// SPDX-License-Identifier: MIT

internal import OnwardCore

// Which effects of a name start, wait, and are cancelled. An effect passes its gates from the
// outermost to the innermost, then its policy, which is asked once: it keeps what it was granted
// until it ends, with its retries and repetitions.

extension EffectTable {
    /// The effects of one name.
    ///
    /// Those that may be cancelled stand in one of three lists, so that any of them leaves in
    /// constant time, and nobody looks at those that are only waited for.
    struct Lane {
        /// By their level.
        var gates: [GateState] = []
        /// Those that their policy has yet to let pass, oldest first.
        var arriving = ArrivalList<Key>()
        /// Those that their policy has let pass.
        var active = ArrivalList<Key>()
        /// Those that wait for the end of these, in their order.
        var queue = ArrivalList<Key>()
        /// How many of those that had passed are cancelled and have not ended.
        var leavingCount = 0
        /// How many have a name or a policy, wherever they stand.
        var memberCount = 0

        var isEmpty: Bool {
            memberCount == 0 && gates.allSatisfy { $0.held == nil && $0.timer == nil }
        }
    }

    /// Where an effect stands in its lane.
    enum Standing {
        /// In none of its lists: it has no name, or only its end is waited for.
        case outside
        case arriving(ArrivalList<Key>.Place)
        case queued(ArrivalList<Key>.Place)
        case active(ArrivalList<Key>.Place)
        /// It was active, and is cancelled.
        case leaving

        /// Whether its policy has let it pass.
        var isAdmitted: Bool {
            switch self {
            case .active, .leaving: true
            case .outside, .arriving, .queued: false
            }
        }
    }

    struct GateState {
        var held: Key?
        /// The number of the timer that runs; nil when the gate is open.
        var timer: TimerNumber?
        /// When the timer ends.
        var deadline = Duration.zero
        /// How it treats the one that it holds.
        var timing: EffectTiming?
    }

    /// Changes a lane, which exists only while there is something in it.
    mutating func change(
        _ slot: EffectSlot, _ body: (inout EffectTable, inout Lane) -> [Step]
    ) -> [Step] {
        var lane = lanes.removeValue(forKey: slot) ?? Lane()
        let steps = body(&self, &lane)
        if !lane.isEmpty { lanes[slot] = lane }
        return steps
    }

    // MARK: Events

    /// An effect that was added comes to its gates, or its policy.
    mutating func enter(_ key: Key, _ place: EffectPlace, at now: Duration) -> [Step] {
        update(key) {
            $0.gates = place.gates.reversed()
            $0.isAdmissionDue = place.isNamed && !place.hasInnerGate
        }
        return change(place.slot) { table, lane in
            if place.isNamed {
                lane.memberCount += 1
                if !place.gates.isEmpty || place.hasInnerGate {
                    let position = lane.arriving.append(key)
                    table.update(key) { $0.standing = .arriving(position) }
                }
            }
            return table.proceed(key, in: &lane, at: now)
        }
    }

    /// An effect that has begun comes to a gate.
    mutating func offer(_ key: Key, to gate: EffectGate, at now: Duration) -> [Step] {
        guard let entry = self[key], let place = entry.traits.place else { return [] }
        guard entry.phase != .cancelled else { return [.drop(entry.job)] }
        return change(place.slot) { table, lane in
            table.update(key) {
                $0.gates = [gate]
                $0.isAdmissionDue =
                    place.isNamed && gate.level == 0 && !$0.standing.isAdmitted
            }
            return table.proceed(key, in: &lane, at: now)
        }
    }

    /// An effect no longer wants to pass where it is held, as its task was cancelled there.
    mutating func leave(_ key: Key) -> [Step] {
        guard let entry = self[key], let place = entry.traits.place,
            entry.phase == .waiting || entry.phase == .queued
        else { return [] }
        return change(place.slot) { table, lane in
            let steps = table.release(key, from: &lane)
            table.update(key) { $0.phase = .running }
            return steps + [.drop(entry.job)]
        }
    }

    /// An effect is over.
    mutating func exit(_ key: Key, _ place: EffectPlace) -> [Step] {
        change(place.slot) { table, lane in
            let steps = table.release(key, from: &lane)
            if case .leaving = table[key]?.standing { lane.leavingCount -= 1 }
            table.detach(key, from: &lane)
            if place.isNamed { lane.memberCount -= 1 }
            return steps + table.advance(&lane)
        }
    }

    /// A timer ended.
    mutating func timerEnded(_ number: TimerNumber, of gate: EffectGateID, at now: Duration)
        -> [Step]
    {
        timers[number] = nil
        guard let lane = lanes[gate.slot], gate.level < lane.gates.count,
            lane.gates[gate.level].timer == number
        else { return [] }
        return change(gate.slot) { $0.open(gate.level, of: &$1, at: now) }
    }

    /// All effects of a name are to be cancelled.
    mutating func cancel(_ slot: EffectSlot) -> [Step] {
        guard lanes[slot] != nil else { return [] }
        return change(slot) { table, lane in
            (Array(lane.arriving) + Array(lane.active) + Array(lane.queue)).sorted().flatMap {
                table.cancel($0, in: &lane)
            }
        }
    }

    /// What is queued, or waits for a timer, stays there.
    mutating func pause() { isPaused = true }

    /// Gates and queues go on.
    mutating func resume(at now: Duration) -> [Step] {
        isPaused = false
        return lanes.keys.flatMap { slot in
            change(slot) { table, lane in
                var steps: [Step] = []
                // Their timers may have ended meanwhile.
                for level in lane.gates.indices where lane.gates[level].timer == nil {
                    steps += table.open(level, of: &lane, at: now)
                }
                return steps + table.advance(&lane)
            }
        }
    }

    mutating func stopAllTimers() -> [Step] {
        lanes.keys.flatMap { slot in
            change(slot) { table, lane in
                lane.gates.indices.flatMap { table.stopTimer(of: $0, in: &lane) }
            }
        }
    }

    /// Keeps the task of a timer; false if the timer was stopped or has ended meanwhile.
    mutating func keep(_ timer: Timer, as number: TimerNumber) -> Bool {
        guard timers.keys.contains(number) else { return false }
        timers[number] = timer
        return true
    }

    // MARK: Passing

    /// Leads an effect on: to its next gate, else to its policy, else to its work.
    private mutating func proceed(_ key: Key, in lane: inout Lane, at now: Duration) -> [Step] {
        guard let entry = self[key] else { return [] }
        if let gate = entry.gates.last, let slot = entry.traits.place?.slot {
            update(key) { $0.gates.removeLast() }
            return offer(key, to: gate, of: slot, &lane, at: now)
        }
        if entry.isAdmissionDue {
            update(key) { $0.isAdmissionDue = false }
            return admit(key, entry.traits.place?.policy ?? .concurrent, to: &lane)
        }
        update(key) { $0.phase = .running }
        return [.go(entry.job)]
    }

    private mutating func offer(
        _ key: Key, to gate: EffectGate, of slot: EffectSlot, _ lane: inout Lane, at now: Duration
    ) -> [Step] {
        let level = gate.level
        while lane.gates.count <= level { lane.gates.append(GateState()) }
        var steps: [Step] = []
        // A timer may be over although its task has not had its turn yet: the clock decides.
        if lane.gates[level].timer != nil, lane.gates[level].deadline <= now {
            steps = stopTimer(of: level, in: &lane) + open(level, of: &lane, at: now)
        }
        let held = lane.gates[level].held
        let isOpen = held == nil && lane.gates[level].timer == nil
        lane.gates[level].timing = gate.timing
        switch gate.timing {
        case .debounce(let duration):
            steps += stopTimer(of: level, in: &lane) + hold(key, at: level, of: &lane)
            // What came before is out of date already, not only when the pause is over.
            if let entry = self[key], let place = entry.traits.place, place.isNamed,
                place.policy == .latest, !entry.standing.isAdmitted
            {
                steps += cancelOthers(before: key, in: &lane)
            }
            return steps + [startTimer(duration, level, slot, &lane, at: now)]
        case .throttle(let duration, let edge) where isOpen:
            steps.append(startTimer(duration, level, slot, &lane, at: now))
            return steps
                + (edge == .trailing
                    ? hold(key, at: level, of: &lane) : proceed(key, in: &lane, at: now))
        case .throttle(_, .leading): return steps + drop(key, from: &lane)
        case .throttle: return steps + hold(key, at: level, of: &lane)
        }
    }

    /// Holds an effect at a gate, instead of the one that is held there.
    private mutating func hold(_ key: Key, at level: Int, of lane: inout Lane) -> [Step] {
        var steps: [Step] = []
        if let older = lane.gates[level].held {
            lane.gates[level].held = nil
            steps = confusion(of: key, with: older) + drop(older, from: &lane)
        }
        lane.gates[level].held = key
        update(key) { $0.phase = .waiting }
        return steps
    }

    /// Opens a gate for the one that is held.
    private mutating func open(_ level: Int, of lane: inout Lane, at now: Duration) -> [Step] {
        lane.gates[level].timer = nil
        guard !isPaused, let key = lane.gates[level].held,
            let slot = self[key]?.traits.place?.slot
        else { return [] }
        lane.gates[level].held = nil
        var steps: [Step] = []
        if case .throttle(let duration, _) = lane.gates[level].timing {
            steps.append(startTimer(duration, level, slot, &lane, at: now))
        }
        return steps + proceed(key, in: &lane, at: now)
    }

    private mutating func admit(
        _ key: Key, _ policy: EffectPolicy, to lane: inout Lane
    ) -> [Step] {
        switch policy {
        case .concurrent:
            return start(key, in: &lane)
        case .latest:
            return cancelOthers(before: key, in: &lane) + start(key, in: &lane)
        case .dropping:
            let isFree = lane.active.isEmpty && lane.queue.isEmpty
            return isFree ? start(key, in: &lane) : drop(key, from: &lane)
        case .queue:
            detach(key, from: &lane)
            let position = lane.queue.append(key)
            update(key) {
                $0.phase = .queued
                $0.standing = .queued(position)
            }
            noteLinks(of: key)
            let steps = advance(&lane)
            guard self[key]?.phase == .queued else { return steps }
            return steps + (refusal(of: key, in: &lane) ?? beginWaiting(key))
        }
    }

    /// Cancels the effects that an effect replaces.
    ///
    /// Effects that came later and wait at a gate are newer, and stay.
    ///
    /// - Complexity: O(*c* log *c*) for *c* effects that are cancelled.
    private mutating func cancelOthers(before key: Key, in lane: inout Lane) -> [Step] {
        var others = Array(lane.arriving.prefix { $0 < key })
        for other in lane.active where other != key { others.append(other) }
        for other in lane.queue where other != key { others.append(other) }
        visits += others.count
        return others.sorted().flatMap { confusion(of: key, with: $0) + cancel($0, in: &lane) }
    }

    /// Reports an effect that ends another of the same part unintentionally: neither has a name,
    /// and they come from different lines.
    private func confusion(of key: Key, with other: Key) -> [Step] {
        guard let entry = self[key], let older = self[other], older.phase != .cancelled,
            let origin = entry.traits.place?.origin, let first = older.traits.place?.origin,
            origin != first
        else { return [] }
        return [.confuse(entry.job, with: older.job)]
    }

    /// Starts the next effect of a queue, when all before it have ended.
    private mutating func advance(_ lane: inout Lane) -> [Step] {
        guard !isPaused, !isFinished, lane.active.isEmpty, lane.leavingCount == 0,
            let next = lane.queue.first
        else { return [] }
        endWaiting(next)
        return start(next, in: &lane)
    }

    private mutating func start(_ key: Key, in lane: inout Lane) -> [Step] {
        guard let entry = self[key] else { return [] }
        detach(key, from: &lane)
        let position = lane.active.append(key)
        update(key) {
            $0.phase = .running
            $0.standing = .active(position)
        }
        noteLinks(of: key)
        return [.go(entry.job)]
    }

    // MARK: Turning away

    mutating func cancel(_ key: Key, in lane: inout Lane) -> [Step] {
        guard let entry = self[key] else { return [] }
        switch entry.phase {
        case .cancelled: return []
        case .waiting, .queued: return drop(key, from: &lane)
        case .running:
            giveUp(key, in: &lane)
            return [.cancel(entry.job)]
        }
    }

    private mutating func drop(_ key: Key, from lane: inout Lane) -> [Step] {
        guard let entry = self[key] else { return [] }
        let steps = release(key, from: &lane)
        giveUp(key, in: &lane)
        return steps + [.drop(entry.job)]
    }

    private mutating func giveUp(_ key: Key, in lane: inout Lane) {
        update(key) { $0.phase = .cancelled }
        let standing = self[key]?.standing
        detach(key, from: &lane)
        guard case .active = standing else { return }
        lane.leavingCount += 1
        update(key) { $0.standing = .leaving }
    }

    /// Takes an effect out of the list in which it stands.
    private mutating func detach(_ key: Key, from lane: inout Lane) {
        visits += 1
        switch self[key]?.standing {
        case .arriving(let position): lane.arriving.remove(position)
        case .queued(let position): lane.queue.remove(position)
        case .active(let position): lane.active.remove(position)
        case .outside, .leaving, nil: return
        }
        update(key) { $0.standing = .outside }
    }

    /// Takes an effect away from where it is held.
    private mutating func release(_ key: Key, from lane: inout Lane) -> [Step] {
        switch self[key]?.phase {
        case .queued:
            detach(key, from: &lane)
            update(key) { $0.phase = .running }
            noteLinks(of: key)
            endWaiting(key)
            return []
        case .waiting:
            guard let level = lane.gates.firstIndex(where: { $0.held == key }) else { return [] }
            lane.gates[level].held = nil
            // A throttle counts from the last start, whatever comes.
            guard case .debounce = lane.gates[level].timing else { return [] }
            return stopTimer(of: level, in: &lane)
        case .running, .cancelled, nil: return []
        }
    }

    /// Refuses an effect that is queued behind one that waits for it; nil if there is none.
    private mutating func refusal(of key: Key, in lane: inout Lane) -> [Step]? {
        guard let entry = self[key], let slot = entry.traits.place?.slot else { return nil }
        let before = effects(waitingFor: key).filter { waiting in
            guard let waiting = self[waiting] else { return false }
            return waiting.standing.isAdmitted && waiting.traits.place?.slot == slot
        }
        guard let ancestor = before.min(), let job = self[ancestor]?.job else { return nil }
        giveUp(key, in: &lane)
        noteLinks(of: key)
        return [.refuse(entry.job, behind: job)]
    }

    /// The same for those that are queued behind effects that wait from now on: `first`, and those
    /// that wait for it.
    mutating func refusals(behind first: Key) -> [Step] {
        let slots = Set(
            ([first] + effects(waitingFor: first)).compactMap { self[$0]?.traits.place?.slot })
        let queued = effects(awaitedBy: first).filter { key in
            guard let entry = self[key], entry.phase == .queued else { return false }
            return entry.traits.place.map { slots.contains($0.slot) } ?? false
        }
        return queued.sorted().flatMap { key in
            guard let slot = self[key]?.traits.place?.slot else { return [Step]() }
            return change(slot) { table, lane in
                guard let steps = table.refusal(of: key, in: &lane) else { return [] }
                table.endWaiting(key)
                return steps
            }
        }
    }

    // MARK: Timers

    private mutating func startTimer(
        _ duration: Duration, _ level: Int, _ slot: EffectSlot, _ lane: inout Lane, at now: Duration
    ) -> Step {
        lastTimer += 1
        lane.gates[level].deadline = now + duration
        lane.gates[level].timer = lastTimer
        timers[lastTimer] = .some(nil)
        return .startTimer(EffectGateID(slot: slot, level: level), number: lastTimer, duration)
    }

    private mutating func stopTimer(of level: Int, in lane: inout Lane) -> [Step] {
        guard let number = lane.gates[level].timer.take(),
            let timer = timers.removeValue(forKey: number), let timer
        else { return [] }
        return [.stopTimer(timer)]
    }
}
