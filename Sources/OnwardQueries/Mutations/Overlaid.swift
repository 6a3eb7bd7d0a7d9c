// SPDX-License-Identifier: MIT

public import Onward

/// Data of a server, with the mutations that it has not confirmed applied over it.
///
/// ```swift
/// struct Server: Equatable, Sendable { var notes: EntityTable<Note> = [] }
/// struct App: Sendable { var server = Overlaid(Server()) }
///
/// store.subscribe(.row(\.server.shown.notes, id: 7)) { _, note in show(note) }
/// ```
///
/// ``shown`` is what the app shows. Answers are written to ``confirmed`` (``Fetch``'s `writes`), and
/// mutations are applied over it in their order, so a refused one falls out whatever else is
/// pending. Use tables (`EntityTable`) for what is large: then a change costs what is pending and
/// what changed, and only rows that differ are notified.
///
/// - Complexity: an answer or a refusal applies all pending mutations again; a confirmation in order
///   applies one.
public struct Overlaid<Base: Sendable>: Sendable {
    /// The confirmed data with the pending mutations applied.
    public private(set) var shown: Base
    /// What the server is known to have.
    public private(set) var confirmed: Base
    /// What the server has not confirmed, in the order in which it was dispatched; refused mutations
    /// that are durable wait here to be resent or dropped.
    public internal(set) var pending: EntityTable<PendingMutation<Base>> = []
    /// How many mutations were not taken, and so don't show, because 1,000 were pending.
    public internal(set) var overflow = 0
    /// Whether nothing is sent since a mutation could not be sent; see ``Send/pausing(when:)``.
    public internal(set) var isPaused = false

    /// What a logout leaves.
    private var empty: Base
    /// How many mutations were confirmed.
    var confirmations = 0
    /// The last mutations that were confirmed, the oldest first.
    private var settled: EntityTable<SettledMutation<Base>> = []
    var nextID = 1
    var isOnline = true
    /// What the keys of new mutations begin with; nil until the store runs.
    var session: UniqueID?

    /// Creates confirmed data without pending mutations, which is also what a logout leaves.
    public init(_ base: Base) {
        (shown, confirmed, empty) = (base, base, base)
    }

    /// Creates confirmed data under mutations that an earlier run left.
    ///
    /// For an app that saves only what it has to send. They get new keys, and as they may have
    /// reached the server, they are sent as they are: none is merged or revised. To keep the keys,
    /// save the overlaid data as a whole.
    ///
    /// - Parameters:
    ///   - base: The confirmed data.
    ///   - mutations: The mutations in their order; of more than 1,000, the first ones.
    ///   - isDurable: Whether a refused one is kept, as their ``Send`` says.
    public init(
        _ base: Base, pending mutations: [any Mutation<Base>], durable isDurable: Bool = false
    ) {
        self.init(base)
        for mutation in mutations {
            append(mutation, isDurable: isDurable)
            pending.update(id: nextID - 1) { $0.attempts = 1 }
        }
    }

    /// The most mutations that may be pending.
    static var pendingLimit: Int { 1_000 }
}

/// The most confirmed mutations that are remembered for answers that are older.
let rememberedConfirmations = 100

/// A mutation that was confirmed, for answers that were asked for before.
struct SettledMutation<Base: Sendable>: Identifiable, Sendable {
    /// Which confirmation it was.
    let id: Int
    let mutation: any Mutation<Base>
}

extension Overlaid: Equatable where Base: Equatable {
    /// Whether the data and the pending mutations are equal.
    public static func == (left: Overlaid, right: Overlaid) -> Bool {
        left.shown == right.shown && left.confirmed == right.confirmed
            && left.pending == right.pending && left.overflow == right.overflow
            && left.confirmations == right.confirmations && left.nextID == right.nextID
            && left.isOnline == right.isOnline && left.isPaused == right.isPaused
    }
}

// MARK: - Events

extension Overlaid {
    /// Changes the confirmed data, as an answer of the server says.
    public mutating func write(_ change: (inout Base) -> Void) {
        change(&confirmed)
        overlay()
    }

    /// Takes an answer that was asked for when so many mutations had been confirmed: those that were
    /// confirmed since are applied over it.
    mutating func write(askedAfter confirmations: Int, _ change: (inout Base) -> Void) {
        change(&confirmed)
        for mutation in settled.reversed().prefix(while: { $0.id > confirmations }).reversed() {
            mutation.mutation.apply(to: &confirmed)
        }
        overlay()
    }

    /// Takes a mutation as if it had been dispatched, for a reducer whose own action implies it.
    ///
    /// It shows at once, and is sent by its ``Send``. Ends a pause.
    ///
    /// - Parameters:
    ///   - mutation: The change.
    ///   - isDurable: Whether it is kept if it is refused, as its ``Send`` says.
    public mutating func enqueue<M: Mutation<Base>>(_ mutation: M, durable isDurable: Bool = false)
    {
        isPaused = false
        for id in pending.ids.reversed() {
            guard let merge = pending[id: id]?.merged(with: mutation) else { continue }
            if case .one(let both) = merge {
                pending.update(id: id) { $0.mutation = both }
            } else {
                pending.remove(id: id)
            }
            overlay()
            return sendNext()
        }
        append(mutation, isDurable: isDurable)
        sendNext()
    }

    private mutating func append(_ mutation: any Mutation<Base>, isDurable: Bool) {
        guard pending.count < Self.pendingLimit else {
            overflow += 1
            return
        }
        var new = PendingMutation(id: nextID, mutation, isDurable: isDurable)
        new.key = session.map { Self.key(of: nextID, in: $0) }
        nextID += 1
        pending.append(new)
        mutation.apply(to: &shown)
    }

    /// Gives keys to the mutations of a type that have none, and sends what was being sent before
    /// the start.
    mutating func start(_ session: UniqueID, sending name: String) {
        self.session = session
        for id in Array(pending.ids) where pending[id: id]?.name == name {
            pending.update(id: id) { mutation in
                if mutation.key == nil { mutation.key = Self.key(of: id, in: session) }
                if mutation.phase == .blocked { mutation.phase = .waiting }
            }
        }
        // What was blocked is revised over what has changed meanwhile.
        overlay()
        sendNext()
    }

    private static func key(of id: Int, in session: UniqueID) -> String { "\(session)-\(id)" }

    mutating func note(attempt id: Int) {
        pending.update(id: id) { $0.attempts += 1 }
    }

    /// The server confirmed a mutation; `write` writes what it answered, if that is kept.
    mutating func confirm(_ id: Int, _ write: ((inout Base) -> Void)? = nil) {
        guard let mutation = pending[id: id], mutation.isApplied else { return }
        let isFirst = pending.first { $0.isApplied }?.id == id
        pending.remove(id: id)
        mutation.mutation.apply(to: &confirmed)
        write?(&confirmed)
        confirmations += 1
        settled.append(SettledMutation(id: confirmations, mutation: mutation.mutation))
        if settled.count > rememberedConfirmations, let oldest = settled.first {
            settled.remove(id: oldest.id)
        }
        // The first one was applied to the confirmed data already: what is shown stays as it is.
        if !isFirst || pending.isEmpty || write != nil { overlay() }
        sendNext()
    }

    mutating func refuse(
        _ id: Int, _ failure: any Error & Codable & Equatable & Sendable
    ) {
        guard let mutation = pending[id: id], mutation.isApplied else { return }
        if mutation.isDurable {
            pending.update(id: id) {
                $0.phase = .refused
                $0.failure = failure
            }
        } else {
            pending.remove(id: id)
        }
        overlay()
        sendNext()
    }

    /// A mutation could not be sent: it and what waits is sent again after the pause.
    mutating func pause(_ id: Int, _ failure: any Error & Codable & Equatable & Sendable) {
        guard pending[id: id]?.phase == .sending else { return }
        pending.update(id: id) {
            $0.phase = .waiting
            $0.failure = failure
            $0.attempts = max(1, $0.attempts)
        }
        isPaused = true
    }

    /// Sends what waits since a pause.
    public mutating func resume() {
        isPaused = false
        sendNext()
    }

    mutating func block(_ id: Int) {
        pending.update(id: id) { if $0.phase == .sending { $0.phase = .blocked } }
    }

    mutating func resend(_ id: Int, _ mutation: any Mutation<Base>) {
        guard let old = pending[id: id], old.phase == .refused || old.phase == .blocked
        else { return }
        pending.remove(id: id)
        overlay()
        append(mutation, isDurable: old.isDurable)
        resume()
    }

    /// Gives a pending mutation up, as ``MutationAction/drop(_:)`` does.
    public mutating func drop(_ id: Int) {
        guard pending.remove(id: id) != nil else { return }
        overlay()
        sendNext()
    }

    mutating func connect(_ isOnline: Bool) {
        self.isOnline = isOnline
        if isOnline {
            isPaused = false
            for id in Array(pending.ids) where pending[id: id]?.phase == .blocked {
                pending.update(id: id) { $0.phase = .waiting }
            }
            overlay()
        }
        sendNext()
        // What was about to be sent, and now waits unsent, is revised over what has changed meanwhile.
        if !isOnline { overlay() }
    }

    mutating func clear() {
        isPaused = false
        pending.removeAll()
        settled.removeAll()
        (confirmed, shown) = (empty, empty)
    }

    private mutating func overlay() {
        shown = confirmed
        for id in Array(pending.ids) {
            guard let old = pending[id: id], old.isApplied else { continue }
            let revised = old.revised(over: shown)
            if old.isUnsent { pending.update(id: id) { $0.mutation = revised } }
            revised.apply(to: &shown)
        }
    }

    /// Sends each mutation that nothing is in the way of; without a network, none.
    ///
    /// A pause leaves alone what is already being sent.
    private mutating func sendNext() {
        var busy: Set<MutationOrder> = []
        var changes: [(Int, PendingMutation<Base>.Phase)] = []
        for mutation in pending where mutation.isApplied {
            let order = mutation.mutation.order
            let isFree = order == .concurrent || busy.insert(order).inserted
            guard mutation.phase != .blocked else { continue }
            let phase: PendingMutation<Base>.Phase =
                isFree && isOnline && mutation.key != nil
                    && (!isPaused || mutation.phase == .sending) ? .sending : .waiting
            if phase != mutation.phase { changes.append((mutation.id, phase)) }
        }
        for (id, phase) in changes { pending.update(id: id) { $0.phase = phase } }
    }
}

// MARK: - Saving

/// Data whose pending mutations can be saved and read again.
///
/// ```swift
/// struct Server: Codable, SavableBase {
///     static let mutations: [any Mutation<Server>.Type] = [Rename.self, Delete.self]
/// }
/// ```
public protocol SavableBase: Codable, Sendable {
    /// The types of the mutations that may be pending, found by their names when they are read.
    static var mutations: [any Mutation<Self>.Type] { get }
}

extension Overlaid: Codable where Base: SavableBase {
    private enum CodingKeys: String, CodingKey {
        case confirmed, empty, pending, nextID, confirmations, session, isOnline, isPaused, settled
    }

    /// Reads the confirmed data and the pending mutations, which will be sent.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for a mutation that the base doesn't list.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(try container.decode(Base.self, forKey: .confirmed))
        empty = try container.decode(Base.self, forKey: .empty)
        confirmations = try container.decode(Int.self, forKey: .confirmations)
        session = try container.decodeIfPresent(UniqueID.self, forKey: .session)
        isOnline = try container.decode(Bool.self, forKey: .isOnline)
        isPaused = try container.decodeIfPresent(Bool.self, forKey: .isPaused) ?? false
        settled = try container.decode(
            EntityTable<SettledMutation<Base>>.self, forKey: .settled)
        let saved = try container.decode([PendingMutation<Base>].self, forKey: .pending)
        pending.append(contentsOf: saved)
        nextID = max(
            try container.decode(Int.self, forKey: .nextID), (saved.map(\.id).max() ?? 0) + 1)
        overlay()
    }

    /// Writes the confirmed data and the pending mutations.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(confirmed, forKey: .confirmed)
        try container.encode(empty, forKey: .empty)
        try container.encode(confirmations, forKey: .confirmations)
        try container.encode(Array(pending), forKey: .pending)
        try container.encode(nextID, forKey: .nextID)
        // Entries after a snapshot give the keys that were sent.
        try container.encodeIfPresent(session, forKey: .session)
        try container.encode(isOnline, forKey: .isOnline)
        try container.encode(isPaused, forKey: .isPaused)
        try container.encode(settled, forKey: .settled)
    }
}

extension PendingMutation: Codable where Base: SavableBase {
    private enum CodingKeys: String, CodingKey {
        case id, name, code, mutation, key, isDurable, attempts, failure, phase
    }

    /// Reads a mutation of one of the base's types.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let name = try container.decode(String.self, forKey: .name)
        let code = try container.decodeIfPresent(Int64.self, forKey: .code)
        let type = try Base.mutation(named: name, code: code, decoder)
        id = try container.decode(Int.self, forKey: .id)
        mutation = try type.init(from: container.superDecoder(forKey: .mutation))
        key = try container.decodeIfPresent(String.self, forKey: .key)
        isDurable = try container.decode(Bool.self, forKey: .isDurable)
        attempts = try container.decode(Int.self, forKey: .attempts)
        phase = try container.decode(Phase.self, forKey: .phase)
        if container.contains(.failure) {
            func read<M: Mutation>(_ type: M.Type) throws -> M.Failure {
                try container.decode(M.Failure.self, forKey: .failure)
            }
            failure = try read(type)
        }
    }

    /// Writes the mutation with its name.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encode(nameCode(name), forKey: .code)
        try mutation.encode(to: container.superEncoder(forKey: .mutation))
        try container.encodeIfPresent(key, forKey: .key)
        try container.encode(isDurable, forKey: .isDurable)
        try container.encode(attempts, forKey: .attempts)
        try container.encode(phase, forKey: .phase)
        if let failure { try container.encode(failure, forKey: .failure) }
    }
}

extension SettledMutation: Codable where Base: SavableBase {
    private enum CodingKeys: String, CodingKey { case id, name, code, mutation }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int.self, forKey: .id)
        let name = try container.decode(String.self, forKey: .name)
        let code = try container.decodeIfPresent(Int64.self, forKey: .code)
        mutation = try Base.mutation(named: name, code: code, decoder)
            .init(from: container.superDecoder(forKey: .mutation))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(type(of: mutation).name, forKey: .name)
        try container.encode(nameCode(type(of: mutation).name), forKey: .code)
        try mutation.encode(to: container.superEncoder(forKey: .mutation))
    }
}

extension SavableBase {
    /// The type of a saved mutation.
    fileprivate static func mutation(
        named name: String, code: Int64?, _ decoder: any Decoder
    ) throws -> any Mutation<Self>.Type {
        if let type = mutations.first(where: { $0.name == name || nameCode($0.name) == code }) {
            return type
        }
        throw DecodingError.dataCorrupted(
            DecodingError.Context(
                codingPath: decoder.codingPath,
                debugDescription: "\(Self.self).mutations has no mutation \(name); add it."))
    }
}

/// A number that stands for the name of a mutation: a session report replaces texts, and leaves numbers alone.
private func nameCode(_ name: String) -> Int64 { Int64(FNV64.hash(of: name) >> 1) }
