// SPDX-License-Identifier: MIT

import Onward
import OnwardCluster
import OnwardJournal

/// A cluster whose journal, network and clocks are simulated: a seed decides everything that happens.
///
/// One loop takes the next thing that happens from the ``Agenda``. Nodes are shells around the cluster's own
/// machines: what arrives is handed to a ``Member``, and its steps are performed, which plans other things.
/// For a while everything goes wrong that the ``SimulationPlan`` says. Then it heals, and the ``Judge`` compares
/// what was seen and answered with what is in the logs.
package struct Simulation {
    /// What a run was like.
    package struct Report: Sendable {
        package let seed: UInt64
        /// What was found wrong; empty for a good run.
        package let faults: [String]
        /// How many things happened.
        package var events = 0
        /// How many proposals were answered, and accepted.
        package var answered = 0
        package var accepted = 0
        /// How many entries say that somebody owns a store.
        package var claims = 0
        /// How often the standby took over.
        package var failovers = 0
    }

    private enum Event {
        case arrive(node: Int, run: Int, Arrival)
        case order(node: Int, run: Int, Order)
        case replicate(node: Int, run: Int, store: Int, count: Int, number: UInt64, generation: Int)
        case act(client: Int)
        case retry(EntryID)
        case crash, pause, part, failOver, heal, open, probe
        case start(node: Int)
        case join(UInt64)
        case reconnect(node: Int)
    }

    private let seed: UInt64
    private let plan: SimulationPlan
    private var random: SeededRandom
    private var agenda = Agenda<Event>()
    private var time = 0
    private var nodes: [SimulatedNode] = []
    private var journal: SimulatedJournal
    private var judge: Judge
    private var operations: [EntryID: Operation] = [:]
    /// The requests that each client made, to ask again about one.
    private var history: [EntryID] = []
    /// Nodes that can't reach one another, or the journal, which is the last one.
    private var parted: [[Bool]]
    private var isHealed = false
    private var answered = 0
    private var accepted = 0
    /// Where it is tried in the end whether everything works, and what was proposed for that.
    private var places: [(store: Int, node: Int)] = []
    private var probes: [EntryID] = []

    package init(seed: UInt64) {
        self.seed = seed
        plan = SimulationPlan(seed: seed)
        random = SeededRandom(seed: seed)
        journal = SimulatedJournal(stores: plan.stores)
        judge = Judge(stores: plan.stores)
        parted = Array(
            repeating: Array(repeating: false, count: plan.nodes + 1), count: plan.nodes + 1)
    }

    /// Runs everything.
    package mutating func run() -> Report {
        begin()
        let end = plan.duration + Self.rest + 25_000_000
        while let (time, event) = agenda.next(), time <= end {
            self.time = time
            happen(event)
        }
        judgeAnswers()
        judge.judge(journal.logs, operations)
        if plan.hasWork { judge.judgeLimit(plan.limits.waiting, journal.logs) }
        if plan.hasWork, !plan.deploys { judge.judgeWork(journal.logs) }
        var report = Report(seed: seed, faults: judge.faults)
        report.events = agenda.planned
        (report.answered, report.accepted) = (answered, accepted)
        report.claims = journal.logs.reduce(0) { $0 + $1.entries.count { $0.kind == .ownership } }
        report.failovers = journal.generation
        return report
    }

    /// From the healing on until everything has to work again.
    private static let rest = 15_000_000

    private mutating func begin() {
        for index in 0..<plan.nodes {
            nodes.append(
                SimulatedNode(
                    id: NodeID("node\(index)"),
                    clockRate: 0.9 + 0.2 * Double(random.number(0, 100)) / 100,
                    clockStart: random.number(0, 1_000_000_000),
                    features: SimulatedFeatures(
                        fingerprint: FeatureFingerprint(rawValue: 1), hasWork: plan.hasWork),
                    neighbours: Neighbours(silence: plan.limits.silence),
                    indices: Array(repeating: -1, count: plan.stores)))
            start(index)
        }
        for client in 0..<plan.clients {
            agenda.plan(.act(client: client), at: random.number(0, 2 * plan.pace))
        }
        for (event, mean) in [
            (Event.crash, plan.crashes), (.pause, plan.pauses), (.part, plan.partitions),
            (.failOver, plan.failovers),
        ] where mean > 0 {
            agenda.plan(event, at: random.number(0, 2 * mean))
        }
        agenda.plan(.heal, at: plan.duration)
        agenda.plan(.open, at: plan.duration + Self.rest - 5_000_000)
        agenda.plan(.probe, at: plan.duration + Self.rest)
    }

    private mutating func happen(_ event: Event) {
        switch event {
        case .arrive(let node, let run, let arrival):
            guard nodes[node].isUp, nodes[node].run == run else { return }
            guard nodes[node].pausedUntil <= time else {
                agenda.plan(event, at: nodes[node].pausedUntil)
                return
            }
            arrive(arrival, at: node)
        case .order(let node, let run, let order):
            perform(order, of: node, run)
        case .replicate(let node, let run, let store, let count, let number, let generation):
            guard generation == journal.generation else { return }
            journal.replicate(store, count: count)
            // Now and then the connection is lost in the middle of a commit.
            let outcome: AppendOutcome =
                !isHealed && random.chance(plan.loss / 2) ? .unknown : .acknowledged
            reply(.finished(store: store, number, outcome), to: node, run)
        case .act(let client): act(client)
        case .retry(let id): propose(id, probing: false)
        case .crash: crash()
        case .pause: pause()
        case .part: part()
        case .failOver: failOver()
        case .heal: heal()
        case .open: openProbes()
        case .probe: probe()
        case .start(let node):
            if !nodes[node].isUp { start(node) }
        case .join(let pair):
            let (one, other) = (Int(pair / 1_000), Int(pair % 1_000))
            (parted[one][other], parted[other][one]) = (false, false)
        case .reconnect(let node):
            nodes[node].server = journal.generation
        }
    }

    // MARK: Network

    /// How long something takes.
    private mutating func latency() -> Int {
        if !isHealed, random.chance(plan.delay) { return random.skewed(1_000, 2_000_000) }
        return random.number(100, 2_000)
    }

    /// Has something arrive somewhere, never, once or twice.
    private mutating func send(_ event: Event, from one: Int, to other: Int) {
        guard !parted[one][other] else { return }
        if !isHealed {
            if random.chance(plan.loss) { return }
            if random.chance(plan.doubling) { agenda.plan(event, at: time + latency()) }
        }
        agenda.plan(event, at: time + latency())
    }

    private mutating func order(_ order: Order, of node: Int) {
        send(.order(node: node, run: nodes[node].run, order), from: node, to: plan.nodes)
    }

    private mutating func reply(_ arrival: Arrival, to node: Int, _ run: Int) {
        send(.arrive(node: node, run: run, arrival), from: plan.nodes, to: node)
    }

    // MARK: Journal

    private mutating func perform(_ order: Order, of node: Int, _ run: Int) {
        let server = nodes[node].server
        switch order {
        case .announce(let announcement):
            journal.announce(announcement)
            reply(.announcements(journal.announcements), to: node, run)
        case .read(let store, let version, let limit):
            if let entries = journal.entries(
                of: store, from: version, limit: limit, generation: server)
            {
                reply(.entries(store: store, entries, from: version), to: node, run)
            } else {
                reply(.missing(store: store), to: node, run)
            }
        case .readSnapshot(let store):
            reply(.snapshot(store: store, journal.snapshot(of: store)), to: node, run)
        case .append(let store, let entries, let after, let number):
            guard let count = journal.append(entries, to: store, after: after, generation: server)
            else { return reply(.finished(store: store, number, .refused), to: node, run) }
            guard server == journal.generation else { return }
            let delay =
                isHealed || !random.chance(0.05)
                ? random.number(100, 3_000) : random.skewed(1_000, 1_500_000)
            agenda.plan(
                .replicate(
                    node: node, run: run, store: store, count: count, number: number,
                    generation: server),
                at: time + delay)
        case .store(let store, let snapshot, let position):
            journal.keep(snapshot, of: store, at: position, truncates: plan.truncates)
        }
    }

    private mutating func failOver() {
        guard !isHealed else { return }
        agenda.plan(.failOver, at: time + random.number(0, 2 * plan.failovers))
        journal.failOver()
        for node in nodes.indices {
            // Some stay with the old primary for a while.
            if random.chance(0.6) {
                nodes[node].server = journal.generation
            } else {
                agenda.plan(.reconnect(node: node), at: time + random.number(0, 4_000_000))
            }
        }
    }

    // MARK: Nodes

    private mutating func start(_ node: Int) {
        nodes[node].run += 1
        nodes[node].isUp = true
        nodes[node].isLeaving = false
        nodes[node].server = journal.generation
        nodes[node].pausedUntil = 0
        nodes[node].neighbours = Neighbours(silence: plan.limits.silence)
        if plan.deploys, random.chance(0.3) {
            nodes[node].features = SimulatedFeatures(
                fingerprint: FeatureFingerprint(rawValue: UInt64(random.number(1, 2))),
                hasWork: plan.hasWork)
        }
        agenda.plan(
            .arrive(node: node, run: nodes[node].run, .tick), at: time + random.number(0, 200_000))
    }

    private mutating func crash() {
        guard !isHealed else { return }
        agenda.plan(.crash, at: time + random.number(0, 2 * plan.crashes))
        let node = random.number(0, nodes.count - 1)
        guard nodes[node].isUp else { return }
        // Some stop in an orderly way: they say so first.
        if random.chance(0.3), !nodes[node].isLeaving {
            nodes[node].isLeaving = true
            return
        }
        stop(node)
        agenda.plan(.start(node: node), at: time + random.skewed(10_000, 8_000_000))
    }

    private mutating func stop(_ node: Int) {
        nodes[node].isUp = false
        let waiting = nodes[node].waiting.keys.sorted { ($0.high, $0.low) < ($1.high, $1.low) }
        for id in waiting { again(id) }
        nodes[node].waiting = [:]
        nodes[node].ended = []
        nodes[node].members = []
        nodes[node].stores = []
        nodes[node].shown = []
        nodes[node].indices = Array(repeating: -1, count: plan.stores)
    }

    private mutating func pause() {
        guard !isHealed else { return }
        agenda.plan(.pause, at: time + random.number(0, 2 * plan.pauses))
        let node = random.number(0, nodes.count - 1)
        nodes[node].pausedUntil = time + random.skewed(10_000, 6_000_000)
    }

    private mutating func part() {
        guard !isHealed else { return }
        agenda.plan(.part, at: time + random.number(0, 2 * plan.partitions))
        let one = random.number(0, plan.nodes)
        let other = random.chance(0.4) ? plan.nodes : random.number(0, plan.nodes)
        guard one != other else { return }
        (parted[one][other], parted[other][one]) = (true, true)
        agenda.plan(.join(UInt64(one * 1_000 + other)), at: time + random.skewed(50_000, 8_000_000))
    }

    private mutating func heal() {
        isHealed = true
        for one in parted.indices {
            for other in parted.indices { parted[one][other] = false }
        }
        for node in nodes.indices {
            nodes[node].pausedUntil = min(nodes[node].pausedUntil, time)
            nodes[node].isLeaving = false
            nodes[node].server = journal.generation
            if !nodes[node].isUp { agenda.plan(.start(node: node), at: time) }
        }
    }

    /// The index of the node's member for a store, which is opened where it has to be.
    private mutating func open(_ store: Int, at node: Int) -> Int {
        if nodes[node].indices[store] >= 0 { return nodes[node].indices[store] }
        let index = nodes[node].members.count
        nodes[node].indices[store] = index
        nodes[node].members.append(
            SimulatedMember(
                nodes[node].id, of: "store\(store)", nodes[node].features, plan.limits,
                run: random.next()))
        nodes[node].stores.append(store)
        nodes[node].shown.append(0)
        return index
    }

    private mutating func arrive(_ arrival: Arrival, at node: Int) {
        let now = nodes[node].now(time)
        switch arrival {
        case .tick:
            tick(node, now)
        case .announcements(let announcements):
            nodes[node].neighbours.look(at: announcements, now: now)
        case .entries(let store, let entries, let version):
            let index = open(store, at: node)
            perform(
                nodes[node].members[index].read(entries, from: version, now: now), of: index,
                at: node)
        case .missing(let store):
            let index = open(store, at: node)
            perform(nodes[node].members[index].miss(now: now), of: index, at: node)
        case .snapshot(let store, let snapshot):
            let index = open(store, at: node)
            perform(nodes[node].members[index].install(snapshot, now: now), of: index, at: node)
        case .finished(let store, let number, let outcome):
            let index = open(store, at: node)
            perform(
                nodes[node].members[index].finish(number, outcome, now: now), of: index, at: node)
        case .message(let store, let message, let sender):
            let index = open(store, at: node)
            perform(
                nodes[node].members[index].receive(message, from: sender, now: now), of: index,
                at: node)
        case .effect(let store, let entry):
            endEffect(entry, store, node)
        case .work(let store, let entry, let epoch):
            endWork(entry, epoch, store, node)
        }
    }

    private mutating func tick(_ node: Int, _ now: Duration) {
        nodes[node].beats += 1
        if nodes[node].beats % 2 == 1 {
            order(
                .announce(
                    NodeAnnouncement(
                        node: nodes[node].id,
                        beat: UInt64(nodes[node].run) << 32 + nodes[node].beats,
                        features: [nodes[node].features.fingerprint],
                        isLeaving: nodes[node].isLeaving)), of: node)
        }
        for index in nodes[node].members.indices {
            let neighbours = nodes[node].neighbours
            perform(
                nodes[node].members[index].tick(neighbours, now: now), of: index, at: node)
        }
        agenda.plan(.arrive(node: node, run: nodes[node].run, .tick), at: time + 250_000)
    }

    private mutating func perform(_ steps: [Step], of index: Int, at node: Int) {
        let store = nodes[node].stores[index]
        for step in steps {
            switch step {
            case .show(let entries):
                if let first = entries.first, first.version != nodes[node].shown[index] + 1 {
                    judge.fail(
                        "\(nodes[node].id) shows entry \(first.version) behind \(nodes[node].shown[index])"
                    )
                }
                show(index, at: node)
            case .showState:
                show(index, at: node)
            case .begin: break
            case .read(let version, let limit):
                order(.read(store: store, from: version, limit: limit), of: node)
            case .readSnapshot:
                order(.readSnapshot(store: store), of: node)
            case .append(let entries, let after, let number):
                order(.append(store: store, entries, after: after, number: number), of: node)
            case .store(let snapshot, let position):
                order(.store(store: store, snapshot, at: position), of: node)
            case .send(let message, let target):
                guard let other = nodes.firstIndex(where: { $0.id == target }) else { break }
                send(message, of: store, from: node, to: other)
            case .broadcast(let message):
                for other in nodes.indices where other != node && nodes[other].indices[store] >= 0 {
                    send(message, of: store, from: node, to: other)
                }
            case .answer(let id, let outcome):
                answer(id, outcome, index, node)
            case .start(let entry):
                startEffect(entry, store, node)
            case .beginWork(let entry, let epoch):
                beginWork(entry, epoch, store, node)
            case .end(let epoch):
                nodes[node].ended.insert(.init(store: store, number: epoch))
            case .leaveServer:
                nodes[node].server = journal.generation
            }
        }
    }

    private mutating func send(_ message: Message, of store: Int, from node: Int, to other: Int) {
        send(
            .arrive(
                node: other, run: nodes[other].run,
                .message(store: store, message, from: nodes[node].id)),
            from: node, to: other)
    }

    /// Readers see what the replica has become.
    private mutating func show(_ index: Int, at node: Int) {
        let replica = nodes[node].members[index].replica
        let (version, before) = (replica.fold.version, nodes[node].shown[index])
        if version <= before {
            judge.fail("a replica of \(nodes[node].id) went back from \(before) to \(version)")
        }
        nodes[node].shown[index] = version
        judge.see(
            replica.fold.state, at: version, in: nodes[node].stores[index], on: nodes[node].id)
    }

    // MARK: Effects

    private mutating func startEffect(_ entry: JournalEntry, _ store: Int, _ node: Int) {
        guard let action = SimulatedAction(entry.payload), action.hasEffect else { return }
        judge.start(entry, in: store)
        agenda.plan(
            .arrive(node: node, run: nodes[node].run, .effect(store: store, entry)),
            at: time + random.skewed(1_000, 3_000_000))
    }

    private mutating func endEffect(_ entry: JournalEntry, _ store: Int, _ node: Int) {
        let term = SimulatedNode.Epoch(store: store, number: entry.epoch)
        if nodes[node].ended.contains(term), !random.chance(plan.stubbornness) { return }
        let index = open(store, at: node)
        let action = SimulatedAction(value: random.next() >> 8, epoch: entry.epoch)
        let request = Request(
            id: EntryID(high: random.next(), low: random.next()),
            base: nodes[node].members[index].replica.fold.version, epoch: entry.epoch,
            action: action.draft)
        operations[request.id] = Operation(store: store, request: request, client: nil)
        propose(request.id, at: node)
    }

    private mutating func beginWork(
        _ entry: JournalEntry, _ epoch: UInt64, _ store: Int, _ node: Int
    ) {
        judge.beginWork(of: entry, in: epoch, of: store)
        agenda.plan(
            .arrive(
                node: node, run: nodes[node].run, .work(store: store, entry, epoch: epoch)),
            at: time + random.skewed(1_000, 4_000_000))
    }

    private mutating func endWork(
        _ entry: JournalEntry, _ epoch: UInt64, _ store: Int, _ node: Int
    ) {
        // Its task was cancelled with the epoch; some go on until they are done.
        let term = SimulatedNode.Epoch(store: store, number: epoch)
        if nodes[node].ended.contains(term), !random.chance(plan.stubbornness) { return }
        judge.endWork(of: entry)
        let index = open(store, at: node)
        let steps = nodes[node].members[index].endWork(
            of: entry.id, epoch: epoch, now: nodes[node].now(time))
        perform(steps, of: index, at: node)
    }

    // MARK: Clients

    private mutating func act(_ client: Int) {
        guard !isHealed else { return }
        agenda.plan(.act(client: client), at: time + random.number(0, 2 * plan.pace))
        // Now and then somebody asks again about something that may be done long ago.
        if random.chance(0.05), !history.isEmpty {
            return propose(history[random.number(0, history.count - 1)], probing: false)
        }
        // Clients of one store come to some of many nodes.
        let store = random.number(0, plan.stores - 1)
        let node =
            plan.nodes > 10
            ? (store * 7 + random.number(0, 2)) % plan.nodes : random.number(0, plan.nodes - 1)
        guard nodes[node].isUp else { return }
        _ = make(in: store, at: node, client)
    }

    /// A new request, proposed on a node.
    private mutating func make(in store: Int, at node: Int, _ client: Int?) -> EntryID {
        let index = open(store, at: node)
        let version = nodes[node].members[index].replica.fold.version
        // Some want it done only in the state that they have looked at.
        let request = Request(
            id: EntryID(high: random.next(), low: random.next()), base: version,
            unchangedSince: client != nil && plan.conditions > 0 && random.chance(plan.conditions)
                ? version : nil,
            action: SimulatedAction(value: random.next() >> 8).draft)
        operations[request.id] = Operation(store: store, request: request, client: client)
        history.append(request.id)
        propose(request.id, at: node)
        return request.id
    }

    /// Proposes a request on any node.
    private mutating func propose(_ id: EntryID, probing: Bool) {
        let node = random.number(0, plan.nodes - 1)
        if nodes[node].isUp { propose(id, at: node) } else { again(id) }
    }

    private mutating func propose(_ id: EntryID, at node: Int) {
        guard let operation = operations[id] else { return }
        guard nodes[node].pausedUntil <= time else {
            return agenda.plan(.retry(id), at: nodes[node].pausedUntil)
        }
        operations[id]?.attempts += 1
        let index = open(operation.store, at: node)
        nodes[node].waiting[id] = time
        let neighbours = nodes[node].neighbours
        let steps = nodes[node].members[index].propose(
            operation.request, neighbours, now: nodes[node].now(time))
        perform(steps, of: index, at: node)
    }

    /// A client that isn't answered tries again somewhere, a few times.
    private mutating func again(_ id: EntryID) {
        guard !isHealed, let operation = operations[id], operation.client != nil,
            operation.attempts < 5
        else { return }
        operations[id]?.attempts += 1
        agenda.plan(.retry(id), at: time + random.skewed(1_000, 2_000_000))
    }

    private mutating func answer(
        _ id: EntryID, _ outcome: ProposalOutcome, _ index: Int, _ node: Int
    ) {
        answered += 1
        nodes[node].waiting[id] = nil
        guard let operation = operations[id] else {
            return judge.fail("somebody was answered who hadn't asked")
        }
        judge.answer(operation, outcome, by: nodes[node].members[index])
        switch outcome {
        case .accepted(let version):
            accepted += 1
            if operation.accepted == nil { operations[id]?.accepted = version }
        case .unanswered: again(id)
        case .refused(.overloaded): operations[id]?.isOverloaded = true
        case .withheld, .refused: break
        }
    }

    // MARK: The end

    /// Everything works again: two nodes open each store that was used, and read it.
    private mutating func openProbes() {
        for store in 0..<plan.stores where !journal.logs[store].entries.isEmpty {
            for _ in 0..<2 {
                let node = random.number(0, plan.nodes - 1)
                _ = open(store, at: node)
                places.append((store, node))
            }
        }
    }

    /// They propose something.
    private mutating func probe() {
        for place in places { probes.append(make(in: place.store, at: place.node, nil)) }
    }

    /// Whether a probe was refused as so much durable work as is allowed hadn't ended.
    ///
    /// A request may begin several works, so the first probe of a store can leave no room for the
    /// other. Nothing else overloads an owner here: it has room for two requests in any plan.
    private func isTooMuchWork(_ operation: Operation, _ action: SimulatedAction) -> Bool {
        guard operation.isOverloaded, plan.hasWork, action.beginsWork else { return false }
        return WorkLimit(plan.limits.waiting, in: journal.logs[operation.store].entries)
            .isReached(since: operation.request.base)
    }

    /// Everything is answered, and what could be accepted is.
    private mutating func judgeAnswers() {
        for node in nodes where !node.waiting.isEmpty {
            judge.fail("\(node.id) has left \(node.waiting.count) proposals without an answer")
        }
        for id in probes {
            guard let operation = operations[id] else { continue }
            if operation.accepted == nil,
                let action = SimulatedAction(operation.request.action.payload),
                action.value % 8 != 1, !plan.deploys, !isTooMuchWork(operation, action)
            {
                judge.fail(
                    "store \(operation.store) doesn't accept anything after everything has healed")
            }
        }
        guard !plan.deploys else { return }
        for node in nodes {
            for (index, member) in node.members.enumerated() {
                let store = node.stores[index]
                let last = journal.logs[store].entries.last { $0.hasAction }?.version ?? 0
                if member.replica.fold.version < last {
                    judge.fail(
                        """
                        \(node.id) shows version \(member.replica.fold.version) of store \(store), which has \
                        \(last), long after everything has healed
                        """)
                }
            }
        }
    }
}
