// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal

/// What the machines of a cluster need of a store's features.
struct StoreFeatures<State: Codable & Sendable>: ClusterFeatures {
    let initial: State
    let codec: JournalCodec<State>
    private let reducer: PureReducer<State>
    private let deciding: DecidingStore<State>
    /// The durable work that actions may begin.
    private let durable: [DurableKind]

    var fingerprint: FeatureFingerprint { codec.fingerprint }

    /// Creates features that call `late` with what a middleware passes on after it has returned.
    init(
        _ initial: State, _ options: ClusteredStoreOptions, _ storeOptions: StoreOptions,
        _ parts: @Sendable () -> [any Part<State>],
        late: @escaping @Sendable (PendingCommit) -> Void
    ) {
        self.initial = initial
        // Problems with the features are reported by the store that readers have.
        var quiet = storeOptions
        quiet.onProgrammerError = { _ in }
        reducer = PureReducer(parts(), onProgrammerError: { _ in })
        deciding = DecidingStore(initial, quiet, parts, late: late)
        durable = reducer.extensions.compactMap { $0 as? DurableKind }
        // Nodes that differ in the work that actions begin don't fold in the same way.
        let revision = ([options.revision] + durable.map { "durable \($0.name)" })
            .joined(separator: "\n")
        codec = JournalCodec(
            for: deciding.store, format: options.format, migrations: options.migrations,
            revision: durable.isEmpty ? options.revision : revision)
    }

    func decide(
        _ action: ActionDraft, on state: State
    ) throws(JournalError) -> [ActionDraft] {
        try decision(about: action, on: state).actions
    }

    func decision(
        about action: ActionDraft, on state: State
    ) throws(JournalError) -> (actions: [ActionDraft], failure: FailedProposal?) {
        let wanted = try decode(action)
        var drafts: [ActionDraft] = []
        let (entries, failure) = deciding.decide(wanted, on: state)
        for entry in entries {
            drafts.append(
                try draft(
                    of: entry.action, to: entry.address, from: entry.origin, stamp: entry.stamp))
        }
        return (drafts, failure.flatMap { FailedProposal($0) })
    }

    /// Encodes an action for a request.
    ///
    /// - Throws: `.invalid` for an action that can't be encoded, or not kept by every journal.
    func draft(
        of action: any Action, to address: Address, from origin: ActionOrigin,
        stamp: EntryStamp? = nil
    ) throws(JournalError) -> ActionDraft {
        try ActionCodec.check(address)
        let entry = try codec.actions.encode(
            LogEntry(version: 0, action: action, address: address, origin: origin, stamp: stamp))
        let texts = [entry.name, address.description, origin.file]
        guard !texts.contains(where: { $0.utf8.contains(0) }) else {
            throw JournalError(
                .invalid, "A name, an address or a file with a zero in it can't be in a log.")
        }
        return ActionDraft(
            name: entry.name, schema: entry.schema, payload: entry.payload, address: address,
            origin: origin)
    }

    func reduce(_ entry: JournalEntry, into state: inout State) throws(JournalError) {
        for decoded in try codec.actions.decode(entry) {
            func open(_ action: some Action) {
                _ = reducer.reduce(
                    &state, action, to: entry.address, stamp: Stamp(decoded.givenStamp))
            }
            open(decoded.action)
        }
    }

    // MARK: Durable work

    func beginsWork(_ action: ActionDraft) -> Bool { !work(of: action).isEmpty }

    /// The work that an action begins; none if the action can't be read, which folding reports.
    func work(of action: ActionDraft) -> [DurableKind.Body] {
        let type = action.name.prefix { $0 != "/" }
        let kinds = durable.filter { $0.name == type }
        guard !kinds.isEmpty, let decoded = try? decode(action) else { return [] }
        return decoded.flatMap { entry in kinds.compactMap { $0.body(entry.action) } }
    }

    private func decode(_ action: ActionDraft) throws(JournalError) -> [LogEntry] {
        try codec.actions.decode(
            JournalEntry(
                version: 0, name: action.name, schema: action.schema, payload: action.payload,
                address: action.address, origin: action.origin))
    }

    // MARK: Snapshots

    func value(of state: State) throws(JournalError) -> DataValue {
        let snapshot = try codec.states.encode(state, at: 0, by: fingerprint)
        return ["schema": DataValue(snapshot.schema), "payload": .bytes(snapshot.payload)]
    }

    func state(of value: DataValue) throws(JournalError) -> State {
        guard let schema = value["schema"]?.integer(as: Int.self),
            case .bytes(let payload)? = value["payload"]
        else {
            throw JournalError(
                .unreadable, "The snapshot of a clustered store has no schema and no payload.")
        }
        return try codec.states.decode(
            JournalSnapshot(
                version: 0, schema: schema, fingerprint: fingerprint, payload: payload))
    }
}
