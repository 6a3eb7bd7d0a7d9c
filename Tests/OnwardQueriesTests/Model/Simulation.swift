// SPDX-License-Identifier: MIT

import Foundation
import Onward

@testable import OnwardQueries

/// A cache and an outbox in front of a server.
///
/// Late, lost and repeated answers, failures, restarts, logouts and a clock are all drawn from one seed. After each step both are compared with what they must be.
struct Simulation {
    struct Violation: Error, CustomStringConvertible {
        let step: Int
        let what: String
        var description: String { "step \(step): \(what)" }
    }

    /// A mutation on its way to the server, or its answer on the way back.
    private struct Sending {
        let id: Int
        let key: String
        /// What its effect began with.
        let mutation: SimulatedRename
        /// Whether it was stored, so that it is on its way.
        var isStored = false
        var answer: Bool?
    }

    private struct Asking {
        let request: Int
        let key: Notes
        /// What the server answers, once it has read it.
        var page: Page?
    }

    private let pageCount = 5
    private var random: Generator
    private var rules = QueryRules<Notes>()
    private var cache = QueryCache<Notes>()
    private var server = Overlaid(Server())
    private var model = CacheModel()
    private var now = Timestamp.seconds(1)
    private var step = 0
    private var session: UInt64 = 1

    // The server.
    private var truth: [Int: String] = [:]
    /// When the server set a title: titles are never used twice.
    private var moments: [String: Int] = [:]
    private var decisions: [String: Bool] = [:]
    private var applied: [(key: String, mutation: SimulatedRename)] = []

    // Underway.
    private var asking: [Asking] = []
    private var sending: [Sending] = []
    private var wanted: Set<Notes> = []

    // What the app may rely on.
    /// The moment of the last title of a note that the server confirmed to this app.
    private var floors: [Int: Int] = [:]
    private var dispatched: [(key: String, mutation: SimulatedRename)] = []
    private var outbox = SendingModel()
    /// What the app shows, by the model.
    private var shown = Server()
    /// Whether mutations are confirmed faster than answers come.
    private var isBusy = false

    struct Generator: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }

    init(seed: UInt64) {
        random = Generator(state: seed)
        isBusy = chance(2)
        rules.freshFor = .seconds(20)
        rules.interval = chance(2) ? .seconds(15) : nil
        rules.keepsUnused = .seconds(40)
        rules.count = chance(2) ? 3 : 100
        rules.requests = chance(3) ? 2 : 8
        rules.measure = { $0.notes.count * 10 }
        rules.tags = { _, page in page.notes.map { .note($0.id) } }
        for note in 0..<pageCount * 2 { setTitle("first \(note)", of: note) }
        server.start(UniqueID(number: session), sending: SimulatedRename.name)
    }

    private mutating func chance(_ n: Int) -> Bool { Int.random(in: 0..<n, using: &random) == 0 }

    private mutating func setTitle(_ title: String, of note: Int) {
        truth[note] = title
        moments[title] = moments.count + 1
    }

    private func page(of key: Notes) -> Page {
        Page(notes: [key.page * 2, key.page * 2 + 1].map { Note(id: $0, title: truth[$0] ?? "") })
    }

    /// Makes steps until one breaks a promise.
    mutating func run(_ steps: Int) throws {
        for _ in 0..<steps {
            step += 1
            now = now + .milliseconds(Int64.random(in: 1...3_000, using: &random))
            try move()
            startRequests()
            try check()
        }
        try settle()
    }

    private mutating func move() throws {
        if isBusy, chance(2) {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: rename()
            case 1, 2: arrive()
            default: try confirm()
            }
            return
        }
        switch Int.random(in: 0..<114, using: &random) {
        case 0..<15: want()
        case 15..<20: byHand()
        case 20..<30: read()
        case 30..<48: try answer()
        case 48..<52: fail()
        case 52..<60: elapse()
        case 60..<66: rename()
        case 66..<74: arrive()
        case 74..<84: try confirm()
        case 84..<88:
            setTitle("others \(step)", of: Int.random(in: 0..<pageCount * 2, using: &random))
        case 88..<91: tell(.invalidated([.note(Int.random(in: 0..<pageCount * 2, using: &random))]))
        case 91: if chance(2) { comeBack() } else { try outrun() }
        case 92: tell(.inSight(chance(2)))
        case 93..<95: tell(.online(!outbox.isOnline))
        case 95..<97: repair()
        case 97: lose()
        case 98: if chance(3) { try restart() }
        case 99: if chance(5) { logOut() }
        case 100..<108: store()
        case 108..<112: pause()
        default: if chance(2) { reduce(.resume) { $0.isPaused = false } }
        }
    }

    // MARK: The app

    private mutating func want() {
        wanted = Set((0..<pageCount).filter { _ in chance(2) }.map { Notes(page: $0) })
        if wanted.count > rules.count {
            wanted = Set(wanted.sorted { $0.page < $1.page }.prefix(rules.count))
        }
        model.want(wanted, at: now, rules)
        reduce(.wanted(wanted.sorted { $0.page < $1.page }, at: now))
    }

    private mutating func byHand() {
        let key = Notes(page: Int.random(in: 0..<pageCount, using: &random))
        let isKnown = cache.entries[id: key] != nil
        if chance(2) {
            reduce(.refetch(key))
            if isKnown || cache.entries[id: key] != nil { model.fetch(key) }
        } else {
            let isNeeded = model.keys[key].map { $0.value == nil || $0.isStale } ?? true
            reduce(.prefetch(key))
            if isNeeded, cache.entries[id: key] != nil { model.fetch(key) }
        }
    }

    private mutating func elapse() {
        model.elapsed(to: now, rules)
        reduce(.elapsed(at: now))
    }

    /// The user returns, perhaps after the clock stood still.
    private mutating func comeBack() {
        tell(.returned)
        guard chance(2) else { return }
        model.returned(at: now, rules)
        reduce(.returned(at: now))
    }

    private mutating func tell(_ action: ServerDataAction) {
        switch action {
        case .invalidated(let tags): model.invalidate(Set(tags))
        case .returned: model.refetchStale()
        case .inSight(let isInSight): model.isInSight = isInSight
        case .online(let isOnline):
            model.connect(isOnline)
            server.connect(isOnline)
            change { $0.connect(isOnline) }
        case .loggedOut:
            model.clear()
            server.clear()
            change { $0.clear() }
        }
        cache.reduce(action, rules)
    }

    @discardableResult
    private mutating func reduce(_ action: QueryAction<Notes>) -> Bool {
        let step = cache.reduce(action, rules, confirmations: server.confirmations)
        guard case .taken(_, let page, let confirmations) = step else { return false }
        server.write(askedAfter: confirmations) { $0.notes.upsert(contentsOf: page.notes) }
        change { _ in }
        return true
    }

    /// An action of the outbox, and what the model does about it.
    private mutating func reduce(
        _ action: MutationAction<SimulatedRename>, _ change: (inout SendingModel) -> Void
    ) {
        server.reduce(action, nil)
        self.change(change)
    }

    private mutating func change(_ change: (inout SendingModel) -> Void) {
        change(&outbox)
        shown = outbox.settle(over: server.confirmed)
    }

    private mutating func rename(_ chosen: Int? = nil) {
        let waiting = outbox.pending.filter { $0.isUnsent && $0.mutation.isTyped }.randomElement(
            using: &random)
        let isTyped = chosen == nil && chance(2)
        var note = chosen ?? Int.random(in: 0..<pageCount * 2, using: &random)
        if let waiting, isTyped, chance(2) { note = waiting.mutation.id }
        // Whoever types may come back to the title that was there.
        let isTakenBack = isTyped && waiting?.mutation.id == note && chance(4)
        let mutation = SimulatedRename(
            id: note, title: isTakenBack ? "" : "mine \(step) \(server.nextID)",
            isTyped: isTyped, over: server.shown.notes[id: note]?.title)
        let id = server.nextID
        server.enqueue(mutation, durable: true)
        var isNew = false
        change { isNew = $0.enqueue(mutation, id: id) }
        if isNew { dispatched.append((server.pending[id: id]?.key ?? "", mutation)) }
    }

    /// Edits or drops a refused mutation, or one that could not be stored.
    private mutating func repair() {
        guard let old = outbox.pending.first(where: { $0.isRefused || $0.isBlocked }) else {
            return
        }
        guard chance(2) else {
            server.drop(old.id)
            return change { $0.end(old.id) }
        }
        var others = outbox
        others.end(old.id)
        let mutation = SimulatedRename(
            id: old.mutation.id, title: "edited \(step)",
            over: others.settle(over: server.confirmed).notes[id: old.mutation.id]?.title)
        let id = server.nextID
        reduce(.resend(old.id, mutation)) { $0.resend(old.id, mutation, as: id) }
        dispatched.append((server.pending[id: id]?.key ?? "", mutation))
    }

    // MARK: The network

    /// Sends what the cache and the outbox have in their tables, as their effects do.
    private mutating func startRequests() {
        asking.removeAll { asking in cache.requests[id: asking.request] == nil }
        for request in cache.requests where !asking.contains(where: { $0.request == request.id }) {
            // The server may read at once what it answers much later.
            let page = chance(2) ? page(of: request.key) : nil
            asking.append(Asking(request: request.id, key: request.key, page: page))
            reduce(.asked(request.key, request: request.id, at: now))
            model.asked(request.key, confirmations: server.confirmations)
        }
        // What was sent may arrive although its effect was cancelled meanwhile, but what wasn't stored is not sent then.
        sending.removeAll { !$0.isStored && server.pending[id: $0.id]?.phase != .sending }
        for mutation in server.pending where mutation.phase == .sending {
            guard let key = mutation.key, let rename = mutation.mutation as? SimulatedRename,
                !sending.contains(where: { $0.key == key })
            else { continue }
            sending.append(Sending(id: mutation.id, key: key, mutation: rename))
            if !chance(3) { store(at: sending.count - 1) }
        }
    }

    private mutating func store(mayFail: Bool = true) {
        let waiting = sending.indices.filter { !sending[$0].isStored }
        guard let index = waiting.randomElement(using: &random) else { return }
        guard mayFail, chance(3) else { return store(at: index) }
        let id = sending.remove(at: index).id
        reduce(.blocked(id)) { $0.block(id) }
    }

    /// A mutation is stored, and then on its way.
    private mutating func store(at index: Int) {
        guard !sending[index].isStored else { return }
        sending[index].isStored = true
        let id = sending[index].id
        reduce(.sent(id, at: now)) { $0.sent(id) }
    }

    /// The server can't be reached, as far as is known here; it may have got the mutation.
    private mutating func pause() {
        let stored = sending.indices.filter { sending[$0].isStored }
        guard let index = stored.randomElement(using: &random) else { return }
        if chance(2) { arrive(at: index) }
        let id = sending.remove(at: index).id
        reduce(.paused(id, .offline)) { $0.pause(id) }
    }

    /// The server reads what it will answer; the answer may come much later.
    private mutating func read() {
        guard let index = asking.indices.randomElement(using: &random) else { return }
        asking[index].page = page(of: asking[index].key)
    }

    private mutating func answer() throws {
        if let asked = asking.randomElement(using: &random) { try answer(asked) }
    }

    private mutating func answer(_ asked: Asking) throws {
        let page = asked.page ?? page(of: asked.key)
        let isTaken = model.answered(
            asked.key, page, at: now, confirmations: server.confirmations)
        let wasTaken = reduce(.answered(asked.key, request: asked.request, page, at: now))
        if isTaken != wasTaken { throw violation("an answer was \(wasTaken ? "" : "not ")taken") }
        // Late, a second time.
        if chance(4), reduce(.answered(asked.key, request: asked.request, page, at: now)) {
            throw violation("an answer was taken twice")
        }
    }

    private mutating func fail() {
        guard let asked = asking.randomElement(using: &random) else { return }
        model.failed(asked.key, .offline, at: now)
        reduce(.failed(asked.key, request: asked.request, .offline, at: now))
    }

    /// A mutation arrives at the server, which applies each key once.
    private mutating func arrive() {
        if let index = sending.indices.randomElement(using: &random) { arrive(at: index) }
    }

    private mutating func arrive(at index: Int) {
        guard sending[index].answer == nil, sending[index].isStored else { return }
        let (key, mutation) = (sending[index].key, sending[index].mutation)
        if decisions[key] == nil {
            decisions[key] = !chance(6)
            if decisions[key] == true {
                setTitle(mutation.title, of: mutation.id)
                applied.append((key, mutation))
            }
        }
        sending[index].answer = decisions[key]
    }

    private mutating func confirm() throws {
        if let index = sending.indices.randomElement(using: &random) { try confirm(at: index) }
    }

    private mutating func confirm(at index: Int) throws {
        guard let isAccepted = sending[index].answer else { return }
        let sent = sending.remove(at: index)
        guard let mutation = server.pending[id: sent.id], mutation.phase == .sending else { return }
        if mutation.mutation as? SimulatedRename != sent.mutation {
            throw violation("\(sent.mutation) was sent, and \(mutation.mutation) is confirmed")
        }
        if isAccepted {
            reduce(.confirmed(sent.id, sent.mutation, Done())) { $0.end(sent.id) }
            floors[sent.mutation.id] = moments[sent.mutation.title]
            tell(.invalidated(sent.mutation.invalidates))
        } else {
            reduce(.refused(sent.id, .refused)) { $0.refuse(sent.id) }
        }
    }

    /// Each time before a page's answer comes, a mutation is confirmed that it doesn't have.
    private mutating func outrun() throws {
        guard let key = asking.randomElement(using: &random)?.key else { return }
        let note = key.page * 2
        for _ in 0..<3 {
            guard let asked = asking.firstIndex(where: { $0.key == key }),
                !outbox.pending.contains(where: { $0.mutation.id == note && !$0.isRefused })
            else { return }
            asking[asked].page = page(of: key)
            rename(note)
            startRequests()
            guard
                let sent = sending.firstIndex(where: { $0.mutation.id == note && $0.answer == nil })
            else { return }
            store(at: sent)
            arrive(at: sent)
            try confirm(at: sent)
            try answer(asking[asked])
            startRequests()
        }
    }

    /// A request or an answer of an outbox is lost; the effect sends again with the same key.
    private mutating func lose() {
        if let index = sending.indices.randomElement(using: &random) { sending.remove(at: index) }
    }

    private mutating func restart() throws {
        cache = try JSONDecoder().decode(QueryCache<Notes>.self, from: JSONEncoder().encode(cache))
        server = try JSONDecoder().decode(Overlaid<Server>.self, from: JSONEncoder().encode(server))
        session += 1
        reduce(.started(UniqueID(number: session))) { $0.start() }
        asking = []
        sending.removeAll { $0.answer == nil || Bool.random(using: &random) }
    }

    private mutating func logOut() {
        tell(.loggedOut)
        floors = [:]
        // What was under way is cancelled here, and may be applied there.
        sending = []
        dispatched = []
        applied = []
        wanted = []
    }

    // MARK: Promises

    private func violation(_ what: String) -> Violation { Violation(step: step, what: what) }

    private mutating func check() throws {
        if let difference = model.difference(from: cache, rules) { throw violation(difference) }
        if shown != server.shown {
            throw violation("what is shown isn't what is pending over what is confirmed")
        }
        // What the server confirmed to this app never shows an older title again.
        for note in server.shown.notes {
            guard let floor = floors[note.id], let moment = moments[note.title] else { continue }
            if moment < floor { throw violation("note \(note.id) shows \(note.title) again") }
        }
        try checkOutbox()
    }

    private func checkOutbox() throws {
        if let difference = outbox.difference(from: server) { throw violation(difference) }
        if Set(applied.map(\.key)).count != applied.count {
            throw violation("a key was applied twice")
        }
        for note in Set(applied.map(\.mutation.id)) {
            let order = applied.filter { $0.mutation.id == note }.map(\.key)
            let all = dispatched.filter { $0.mutation.id == note }.map(\.key)
            let places = order.compactMap { all.firstIndex(of: $0) }
            if places != places.sorted() {
                throw violation("mutations of note \(note) were applied out of order")
            }
        }
    }

    /// Without further faults, everything is sent and the truth shows.
    private mutating func settle() throws {
        tell(.online(true))
        tell(.inSight(true))
        wanted = Set((0..<min(pageCount, rules.count)).map { Notes(page: $0) })
        model.want(wanted, at: now, rules)
        reduce(.wanted(wanted.sorted { $0.page < $1.page }, at: now))
        tell(.invalidated((0..<pageCount * 2).map { .note($0) }))
        tell(.returned)
        for _ in 0..<500 {
            step += 1
            startRequests()
            for index in asking.indices { asking[index].page = nil }
            if !asking.isEmpty {
                try answer()
            } else if !sending.isEmpty {
                store(mayFail: false)
                arrive()
                try confirm()
            } else {
                break
            }
            try check()
        }
        startRequests()
        if !asking.isEmpty || server.pending.contains(where: \.isApplied) {
            throw violation("it doesn't come to rest")
        }
        for key in wanted {
            if cache.value(of: key) != page(of: key) {
                throw violation("\(key) isn't what the server has")
            }
            for note in page(of: key).notes where server.shown.notes[id: note.id] != note {
                throw violation("\(note) isn't shown")
            }
        }
    }
}
