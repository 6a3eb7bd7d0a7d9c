// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal

@testable import OnwardSync

/// Clients and a server that lose their connections, messages and lives, all drawn from one seed; after each step what every client shows
/// is compared with what the log of the server and its own pending actions lead to.
///
/// The machines are those of the library. Everything else is simple: the server's disk is a list of which the end may be lost, and so is
/// that of each client; the network is a bag of messages.
struct Simulation {
    struct Violation: Error, CustomStringConvertible {
        let step: Int
        let what: String
        var description: String { "step \(step): \(what)" }
    }

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

    /// What a client has on its disk.
    struct Disk {
        var state = Toy()
        var log: UInt64?
        var version: CommitVersion = 0
        var pending: [Proposal] = []
        var records: [KeptRecord] = []
        /// The features that have folded it.
        var fingerprint = FeatureFingerprint(rawValue: 1)
    }

    /// Something that a client does in order, and that is lost if it is killed before.
    private enum Work {
        case keep(KeptRecord)
        case keepState(Disk)
        case report(ProposalID, SyncOutcome)
    }

    /// A device: what runs on it, and what is on its disk.
    private struct Device {
        var machine: ClientMachine<ToyFeatures>
        var disk: Disk
        /// What its store shows.
        var shown: Toy
        var work: [Work] = []
        /// Who uses it.
        var reader: String?
        /// The features of its program.
        let fingerprint: FeatureFingerprint
        /// What an earlier program with other features has left, to be shown until there is a state.
        var leftover = Toy()
        var connection: ConnectionID?
        var isDue = false
        var isTravelling = false
        var clock: Duration = .zero
        /// What was dispatched here and not lost, in order, also by what it was copied from.
        var dispatched: [(id: ProposalID, action: ToyAction)] = []
        var reported: [ProposalID: SyncOutcome] = [:]
        /// The last version of the log that it has confirmed.
        var last: (log: UInt64?, version: CommitVersion) = (nil, 0)
        /// What a program that was killed may have known the outcome of, and not said.
        var unsaid: Set<ProposalID> = []
    }

    /// Messages are written as bytes and read again with some seeds only, as that takes most of the time.
    private enum Content {
        case bytes([UInt8])
        case up(UpMessage)
        case down(DownMessage)
    }

    private struct Letter {
        let content: Content
        let connection: ConnectionID
        let device: Int
        let isUp: Bool
    }

    private let features: ToyFeatures
    private var limits = SyncLimits()
    private let codec: MessageCodec
    private let fingerprint = FeatureFingerprint(rawValue: 1)
    private var random: Generator
    private var step = 0
    /// Whether messages arrive in order, and nobody is killed; connections may end.
    private let isCalm: Bool
    /// How often something is lost, killed or cut off.
    private let wildness: Int
    private let writesBytes: Bool
    /// Whether clients see a part of the state.
    private let isPartial: Bool
    /// Whether some clients have other features than the server.
    private let isMixed: Bool
    private var isHealed = false

    // The server.
    private var server: ServerMachine
    /// The entries of the log, also of those that ran before, and the state after each.
    private var truth: [LoggedEntry] = []
    private var states: [Toy] = [Toy()]
    /// Where the log of each server begins in it, and who sees it.
    private var starts: [UInt64: (start: Int, reader: String?)] = [:]
    /// How many of them are on its disk.
    private var kept = 0
    private var isServerUp = true
    private var serverClock: Int64 = 1_000

    private var devices: [Device] = []
    private var letters: [Letter] = []
    /// The last ones that have arrived.
    private var delivered: [Letter] = []
    private var nextConnection: UInt64 = 1
    /// Who uses a connection, for good.
    private var users: [ConnectionID: String?] = [:]
    /// The connections of clients whose features are those of the server.
    private var equals: Set<ConnectionID> = []
    private var nextRun: UInt64 = 1
    private var nextLog: UInt64 = 100
    /// What is pending on more than one device.
    private var shared: Set<ProposalID> = []

    init(seed: UInt64) {
        random = Generator(state: seed &* 0x2545_F491_4F6C_DD1D &+ 1)
        isCalm = seed % 8 >= 6
        writesBytes = seed % 4 == 0
        isPartial = seed % 5 >= 3
        isMixed = seed % 7 >= 4
        features = ToyFeatures(isPartial: isPartial)
        wildness = [60, 200, 400][Int(seed / 2 % 3)]
        limits.window = [4, 16, 1_024][Int(seed % 3)]
        limits.entriesPerMessage = [2, 5, 256][Int(seed / 3 % 3)]
        limits.proposalsPerMessage = [2, 5, 64][Int(seed / 9 % 3)]
        limits.history = [6, 30, 10_000][Int(seed / 27 % 3)]
        limits.proposalsPerSecond = seed % 11 == 5 ? 4 : 1_000
        limits.patience = .seconds(5)
        codec = MessageCodec(limits)
        server = ServerMachine(
            log: nextLog, version: 0, ledger: Ledger(), fingerprint: fingerprint, limits: limits,
            isPartial: isPartial)
        noteLog()
        for _ in 0..<Int.random(in: 2...6, using: &random) {
            devices.append(start(Disk(), drawReader()))
        }
    }

    /// Remembers what the server's log begins with, as each reader knows it.
    private mutating func noteLog() {
        for reader in Toy.readers + [nil] { starts[server.log(of: reader)] = (truth.count, reader) }
        starts[server.log] = (truth.count, nil)
    }

    private mutating func drawReader() -> String? {
        chance(10) ? nil : Toy.readers.randomElement(using: &random)
    }

    /// What somebody sees of a state.
    private func view(of state: Toy, for reader: String?) -> Toy {
        isPartial ? state.view(for: reader) : state
    }

    private mutating func chance(_ n: Int) -> Bool { Int.random(in: 0..<n, using: &random) == 0 }

    private func violation(_ what: String) -> Violation { Violation(step: step, what: what) }

    // MARK: Steps

    /// Makes steps until one breaks a promise; then everything heals, and all have to agree.
    mutating func run(_ steps: Int) throws {
        for _ in 0..<steps {
            step += 1
            serverClock += Int64.random(in: 0...5, using: &random)
            try move()
        }
        try heal()
    }

    private mutating func move() throws {
        let device = devices.indices.randomElement(using: &random) ?? 0
        switch Int.random(in: 0..<925 + wildness, using: &random) {
        case 0..<200: try dispatch(on: device)
        case 200..<560: for _ in 0..<4 { try deliver() }
        case 560..<620: try publish()
        case 620..<700: write(on: device, atMost: Int.random(in: 1...4, using: &random))
        case 700..<760: try tick(device)
        case 760..<820: try sent(device)
        case 820..<880: if devices[device].connection == nil { try connect(device) }
        case 880..<900: try decideAlone()
        case 900..<910: try show(device)
        case 910..<925: devices[device].isTravelling.toggle()
        default:
            if !isCalm {
                try harm(device)
            } else if device == 0, chance(4) {
                disconnect(device)
            }
        }
        try check(device)
    }

    /// What networks, disks and batteries do.
    private mutating func harm(_ device: Int) throws {
        switch Int.random(in: 0..<75, using: &random) {
        case 0..<25: lose()
        case 25..<40: double()
        case 40..<52: disconnect(device)
        case 52..<62: try kill(device)
        case 62..<65: try killServer()
        case 65..<68: if devices.count < 8 { try copy(device) }
        default:
            devices[device].clock += .milliseconds(
                Int64.random(in: -60_000...60_000, using: &random))
        }
    }

    /// Something arrives once more, perhaps late.
    private mutating func double() {
        let all = chance(2) ? letters : delivered
        if let letter = all.randomElement(using: &random) { letters.append(letter) }
    }

    private mutating func lose() {
        guard let index = letters.indices.randomElement(using: &random) else { return }
        letters.remove(at: index)
    }

    // MARK: Devices

    private mutating func start(_ disk: Disk, _ reader: String?) -> Device {
        let run = ClientID(high: 1, low: nextRun)
        nextRun += 1
        let other = FeatureFingerprint(rawValue: 2)
        let fingerprint = isMixed && chance(2) ? other : self.fingerprint
        var machine = ClientMachine(
            Toy(), features, fingerprint: fingerprint, client: run, session: nextRun << 32,
            limits: limits)
        machine.restore(disk.state, log: disk.log, version: disk.version, pending: disk.pending)
        for record in disk.records { machine.restore(record) }
        if disk.fingerprint != fingerprint { machine.distrust() }
        let shown = machine.shownState()
        machine.hasShown()
        var device = Device(
            machine: machine, disk: disk, shown: shown, reader: reader, fingerprint: fingerprint)
        if machine.log == nil { device.leftover = machine.confirmed }
        return device
    }

    private mutating func dispatch(on index: Int) throws {
        let account = Int.random(in: 0..<4, using: &random)
        let amount = Int.random(in: 1...30, using: &random)
        let action: ToyAction =
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<3: .put(amount, account)
            case 3..<8: .take(amount, account)
            case 8: .double(account)
            default: .date(Int.random(in: 0..<100, using: &random))
            }
        // Its store refuses it, or another gate withholds it.
        guard devices[index].shown.allows(action), !devices[index].isTravelling else { return }
        devices[index].shown.reduce(action)
        let now = devices[index].clock
        let (id, steps) = devices[index].machine.committed(action.written, now: now)
        devices[index].dispatched.append((id, action))
        try perform(steps, on: index)
        // Most networks are faster than people.
        if !chance(3) { try sent(index) }
    }

    private mutating func tick(_ index: Int) throws {
        devices[index].clock += .milliseconds(Int64.random(in: 0...4_000, using: &random))
        try perform(devices[index].machine.tick(now: devices[index].clock), on: index)
    }

    private mutating func connect(_ index: Int) throws {
        guard isServerUp else { return }
        devices[index].connection = ConnectionID(nextConnection)
        users[ConnectionID(nextConnection)] = devices[index].reader
        if devices[index].fingerprint == fingerprint { equals.insert(ConnectionID(nextConnection)) }
        nextConnection += 1
        try perform(devices[index].machine.connected(now: devices[index].clock), on: index)
    }

    private mutating func disconnect(_ index: Int) {
        guard let connection = devices[index].connection else { return }
        devices[index].machine.disconnected()
        devices[index].connection = nil
        // The server may notice later, or never.
        if chance(2) { server.disconnected(connection) }
    }

    private mutating func perform(_ steps: [ClientStep], on index: Int) throws {
        for step in steps {
            switch step {
            case .keep(let record): devices[index].work.append(.keep(record))
            case .keepState:
                let machine = devices[index].machine
                devices[index].work.append(
                    .keepState(
                        Disk(
                            state: machine.confirmed, log: machine.log, version: machine.version,
                            pending: machine.pending.map(\.proposal),
                            fingerprint: devices[index].fingerprint)))
            case .report(let id, let outcome):
                devices[index].work.append(.report(id, outcome))
            case .show: devices[index].isDue = true
            case .send(let message):
                guard let connection = devices[index].connection else { continue }
                letters.append(
                    Letter(
                        content: try content(of: message), connection: connection, device: index,
                        isUp: true))
            }
        }
        if devices[index].isDue { try show(index) }
    }

    /// The transport has taken what was sent.
    private mutating func sent(_ index: Int) throws {
        let now = devices[index].clock
        try perform(devices[index].machine.sent(now: now), on: index)
    }

    private mutating func show(_ index: Int) throws {
        guard !devices[index].isTravelling, devices[index].isDue else { return }
        let shown = devices[index].machine.shownState()
        // Something was dispatched while it was worked out, and it is done again.
        if chance(6) { return }
        devices[index].isDue = false
        devices[index].shown = shown
        devices[index].machine.hasShown()
    }

    /// What waits gets on the disk, in order.
    private mutating func write(on index: Int, atMost count: Int = .max) {
        let now = devices[index].work.prefix(count)
        devices[index].work.removeFirst(now.count)
        for work in now {
            switch work {
            case .keep(let record): devices[index].disk.records.append(record)
            case .keepState(let disk): devices[index].disk = disk
            case .report(let id, let outcome):
                // A program that starts again may say the same again.
                devices[index].reported[id] = outcome
            }
        }
    }

    private mutating func kill(_ index: Int) throws {
        let old = devices[index]
        if old.connection != nil { disconnect(index) }
        // Sometimes somebody else uses it from now on.
        devices[index] = start(old.disk, chance(5) ? drawReader() : old.reader)
        devices[index].clock = .seconds(Int64.random(in: 0...100, using: &random))
        devices[index].reported = old.reported
        // What wasn't on the disk may be lost.
        let rest = Set(devices[index].machine.pending.map(\.proposal.id))
        let settled = settledIDs(in: old.disk)
        devices[index].unsaid = old.unsaid.union(settled)
        devices[index].dispatched = old.dispatched.filter {
            rest.contains($0.id) || settled.contains($0.id) || old.reported[$0.id] != nil
        }
    }

    /// What the records of a disk say is decided.
    private func settledIDs(in disk: Disk) -> Set<ProposalID> {
        var ids: Set<ProposalID> = []
        for record in disk.records {
            switch record {
            case .proposed, .changes: break
            case .dropped(let dropped): ids.formUnion(dropped)
            case .entries(_, _, let items):
                for case .own(let id, _, _) in items { ids.insert(id) }
            }
        }
        return ids
    }

    /// The disk of a device is put into another one.
    private mutating func copy(_ index: Int) throws {
        let disk = devices[index].disk
        var copy = start(disk, devices[index].reader)
        let rest = copy.machine.pending.map(\.proposal)
        shared.formUnion(rest.map(\.id))
        copy.dispatched = rest.compactMap { proposal in
            ToyAction(proposal.action).map { (proposal.id, $0) }
        }
        devices.append(copy)
    }

    // MARK: The server

    private func content(of message: UpMessage) throws -> Content {
        writesBytes ? .bytes(try codec.bytes(of: message)) : .up(message)
    }

    private func content(of message: DownMessage) throws -> Content {
        writesBytes ? .bytes(try codec.bytes(of: message)) : .down(message)
    }

    private func upMessage(in letter: Letter) throws -> UpMessage? {
        switch letter.content {
        case .bytes(let bytes): try codec.upMessage(of: bytes)
        case .up(let message): message
        case .down: nil
        }
    }

    private func downMessage(in letter: Letter) throws -> DownMessage? {
        switch letter.content {
        case .bytes(let bytes): try codec.downMessage(of: bytes)
        case .down(let message): message
        case .up: nil
        }
    }

    private mutating func deliver() throws {
        guard let index = letters.indices.randomElement(using: &random) else { return }
        // Calm networks keep the order of a connection.
        let letter = letters.remove(at: isCalm || isHealed || chance(2) ? 0 : index)
        delivered.append(letter)
        if delivered.count > 60 { delivered.removeFirst() }
        guard letter.isUp else {
            guard let message = try downMessage(in: letter) else { return }
            guard devices[letter.device].connection != nil else { return }
            let now = devices[letter.device].clock
            try perform(
                devices[letter.device].machine.received(message, now: now), on: letter.device)
            return try check(letter.device)
        }
        guard isServerUp else { return }
        guard let message = try upMessage(in: letter) else { return }
        let steps = server.received(
            message, from: letter.connection, as: users[letter.connection] ?? nil,
            now: .milliseconds(serverClock * 100))
        try perform(steps, letter.device, letter.connection)
        while let (proposal, _) = server.nextToDecide() {
            let steps = server.decided(proposal.id, try decide(proposal))
            try perform(steps, letter.device, letter.connection)
        }
    }

    private mutating func decide(_ proposal: Proposal) throws -> Decision {
        if chance(50), !isHealed { return .unavailable }
        guard let action = ToyAction(proposal.action) else {
            throw violation("a server got something else than was sent")
        }
        guard state.allows(action) else { return .refused(SyncRefusal(.failedCheck)) }
        if truth.contains(where: { $0.proposal == proposal.id }) {
            throw violation("\(proposal.id) is in the log twice")
        }
        for device in devices where !shared.contains(proposal.id) {
            if case .refused = device.reported[proposal.id] {
                throw violation("\(proposal.id) was refused, and is accepted")
            }
        }
        commit(action, proposal.id)
        return .accepted
    }

    private var state: Toy { states[truth.count] }

    private mutating func commit(_ action: ToyAction, _ id: ProposalID?) {
        var (time, written) = (nil as Timestamp?, action)
        if case .date = action {
            time = Timestamp(nanosecondsSince1970: serverClock)
            written = action.confirmed(at: time)
        }
        let isOpaque = id == nil && chance(4)
        let entry = LoggedEntry(
            action: isOpaque ? nil : written.written, proposal: id, time: time, author: nil)
        var after = state
        after.reduce(written)
        let changes = isPartial && !chance(30) ? after.changes(since: state) : nil
        truth.append(entry)
        states.append(after)
        server.committed(entry, changes)
    }

    /// The server's own app does something.
    private mutating func decideAlone() throws {
        guard isServerUp else { return }
        commit(.put(Int.random(in: 1...9, using: &random), 1), nil)
    }

    /// The server's journal has written.
    private mutating func publish(all: Bool = false) throws {
        guard isServerUp else { return }
        kept = all ? truth.count : Int.random(in: kept...truth.count, using: &random)
        let start = starts[server.log]?.start ?? 0
        try perform(server.published(upTo: CommitVersion(kept - start)), nil, nil)
    }

    private mutating func perform(
        _ steps: [ServerStep], _ device: Int?, _ connection: ConnectionID?
    ) throws {
        for step in steps {
            switch step {
            case .send(let message, let receiver):
                let index =
                    receiver == connection
                    ? device : devices.firstIndex { $0.connection == receiver }
                guard let index else { continue }
                try check(message, isFor: users[receiver] ?? nil)
                if case .entries(_, _, _, let items) = message, !items.isEmpty,
                    !equals.contains(receiver)
                {
                    throw violation("a client with other features gets entries")
                }
                letters.append(
                    Letter(
                        content: try content(of: message), connection: receiver, device: index,
                        isUp: false))
            case .encodeState(let receiver, let since):
                let version = CommitVersion(truth.count - (starts[server.log]?.start ?? 0))
                let state = changes(since: since) ?? whole(for: receiver)
                let steps = server.encoded(state, at: version, for: receiver)
                try perform(steps, device, connection)
            case .end(let connection):
                if let index = devices.firstIndex(where: { $0.connection == connection }) {
                    disconnect(index)
                }
            }
        }
    }

    /// What has changed since a version, if the server happens to know.
    private mutating func changes(since version: CommitVersion?) -> EncodedState? {
        guard let version, !chance(4) else { return nil }
        let first = (starts[server.log]?.start ?? 0) + Int(version)
        guard first < states.count else { return nil }
        return .changes(Toy.changes(along: states[first...]), since: version)
    }

    private func whole(for receiver: ConnectionID) -> EncodedState {
        guard isPartial else { return .state(features.bytes(of: state), schema: 1) }
        let reader = users[receiver] ?? nil
        return .view((0..<4).filter { state.shows($0, to: reader) }.map { state.change($0) })
    }

    /// Nobody is sent what is not to be seen.
    private func check(_ message: DownMessage, isFor reader: String?) throws {
        guard isPartial else { return }
        switch message {
        case .welcome, .refused, .busy, .unknown, .failed: return
        case .snapshot, .entries: throw violation("a client with a view gets everything")
        case .changes(_, let log, _, let version, let changes, _):
            guard let (start, owner) = starts[log], start + Int(version) < states.count else {
                throw violation("changes are of no log")
            }
            guard owner == reader else {
                throw violation("\(reader ?? "nobody") gets what \(owner ?? "nobody") sees")
            }
            let state = states[start + Int(version)]
            for change in changes where change.value != nil {
                guard state.shows(change.account, to: reader),
                    state.change(change.account) == change
                else {
                    throw violation("\(change) isn't for \(reader ?? "nobody")")
                }
            }
        }
    }

    /// Nothing stays on a disk that its device has to forget.
    private func checkDisk(of device: Device, _ index: Int) throws {
        guard isPartial, device.work.isEmpty else { return }
        let pending = Set(device.machine.pending.map(\.proposal.id))
        for case .proposed(let proposal) in device.disk.records {
            if !pending.contains(proposal.id), case .refused? = device.reported[proposal.id] {
                throw violation(
                    "\(proposal.id) was refused, and stays on the disk of device \(index)")
            }
        }
        guard let log = device.machine.log,
            let (start, reader) = starts[log]
        else { return }
        let state = states[start + Int(device.machine.version)]
        for account in 0..<4 where !state.shows(account, to: reader) {
            let isKept = device.disk.records.contains { record in
                guard case .changes(_, _, _, let changes, _) = record else { return false }
                return changes.contains { $0.account == account && $0.value != nil }
            }
            guard !isKept, device.disk.state.accounts[account] == 0 else {
                throw violation("account \(account) stays on the disk of device \(index)")
            }
        }
    }

    /// The server is killed, and starts with what is on its disk.
    private mutating func killServer() throws {
        truth.removeLast(truth.count - kept)
        states.removeLast(states.count - 1 - kept)
        var ledger = Ledger()
        for entry in truth { if let id = entry.proposal { ledger.note(id) } }
        nextLog += 1
        server = ServerMachine(
            log: nextLog, version: 0, ledger: ledger, fingerprint: fingerprint, limits: limits,
            isPartial: isPartial)
        noteLog()
        for index in devices.indices where chance(2) {
            devices[index].machine.disconnected()
            devices[index].connection = nil
        }
    }

    // MARK: Promises

    private mutating func check(_ index: Int) throws {
        let device = devices[index]
        let machine = device.machine
        guard machine.log != device.last.log || machine.version >= device.last.version else {
            throw violation("device \(index) goes back from \(device.last.version)")
        }
        devices[index].last = (machine.log, machine.version)
        // What it has confirmed is what the log led to.
        var expected = device.leftover
        if let log = machine.log, let (start, reader) = starts[log] {
            guard start + Int(machine.version) <= kept else {
                throw violation("device \(index) has what the server may lose")
            }
            expected = view(of: states[start + Int(machine.version)], for: reader)
        }
        guard machine.confirmed == expected else {
            throw violation("device \(index) has confirmed \(machine.confirmed), not \(expected)")
        }
        try checkDisk(of: device, index)
        // What is neither pending nor decided is lost.
        let pending = machine.pending.map(\.proposal.id)
        let reports = device.work.compactMap { work -> ProposalID? in
            if case .report(let id, _) = work { id } else { nil }
        }
        let known = Set(pending + reports)
        let settled = settledIDs(in: device.disk)
        for (id, _) in device.dispatched
        where !known.contains(id) && device.reported[id] == nil && !settled.contains(id)
            && !device.unsaid.contains(id)
        {
            throw violation("\(id) is forgotten on device \(index)")
        }
        guard !device.isDue, !device.isTravelling else { return }
        for id in pending {
            guard let action = device.dispatched.first(where: { $0.id == id })?.action else {
                throw violation("device \(index) invents \(id)")
            }
            if expected.allows(action) { expected.reduce(action) }
        }
        guard device.shown == expected else {
            throw violation("device \(index) shows \(device.shown), not \(expected)")
        }
    }

    /// Nothing is lost any more: all have to agree soon, and everything is decided.
    private mutating func heal() throws {
        isHealed = true
        isServerUp = true
        for index in devices.indices { devices[index].isTravelling = false }
        for round in 0..<600 {
            step += 1
            serverClock += 20
            for index in devices.indices {
                if devices[index].connection == nil { try connect(index) }
                devices[index].clock += .seconds(2)
                try sent(index)
                try tick(index)
                try show(index)
                write(on: index)
            }
            while !letters.isEmpty { try deliver() }
            try publish(all: true)
            while !letters.isEmpty { try deliver() }
            for index in devices.indices {
                write(on: index)
                try check(index)
            }
            if round > 3,
                devices.allSatisfy({
                    $0.machine.pending.isEmpty && $0.shown == view(of: state, for: $0.reader)
                })
            {
                return try judge()
            }
        }
        let open = devices.map {
            "\($0.machine.pending.count) pending, \($0.shown == view(of: state, for: $0.reader))"
        }
        throw violation("it doesn't come to rest: \(open)")
    }

    private func judge() throws {
        let places = Dictionary(
            truth.enumerated().compactMap { place, entry in entry.proposal.map { ($0, place) } }
        ) { $1 }
        for (index, device) in devices.enumerated() {
            var last = -1
            for (id, _) in device.dispatched {
                let outcome = device.reported[id]
                let place = places[id]
                switch outcome {
                case .confirmed where place == nil:
                    throw violation("\(id) was confirmed to device \(index), and isn't in the log")
                case .replaced where place != nil && !shared.contains(id):
                    throw violation("\(id) was replaced on device \(index), and is in the log")
                case .refused where place != nil && !shared.contains(id):
                    throw violation("\(id) was refused to device \(index), and is in the log")
                case .refused(nil) where isCalm:
                    throw violation("\(id) was refused without a reason")
                case nil where !device.unsaid.contains(id):
                    throw violation("device \(index) never heard of \(id)")
                default: break
                }
                // A copy of this device may propose once more what was refused, and have it accepted.
                guard let place, !shared.contains(id) else { continue }
                if place < last { throw violation("\(id) is in the log before what came before") }
                last = place
            }
        }
    }
}
