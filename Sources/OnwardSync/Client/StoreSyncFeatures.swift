// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal

/// The features of a store, as the machine of its client needs them.
struct StoreSyncFeatures<State: Codable & Sendable>: SyncFeatures {
    let codec: JournalCodec<State>
    private let reducer: PureReducer<State>
    private let replacements: [@Sendable (any Action, any Action) -> Bool]
    private let view: SyncView<State>?

    init(
        _ initial: State, _ options: SyncOptions<State>, _ storeOptions: StoreOptions,
        _ parts: @Sendable () -> [any Part<State>]
    ) {
        // Problems with the features are reported by the store that the app has.
        var quiet = storeOptions
        quiet.onProgrammerError = { _ in }
        reducer = ClientSide.make { PureReducer(parts(), onProgrammerError: { _ in }) }
        replacements = options.replacements
        view = options.view
        codec = JournalCodec(
            for: ClientSide.make { Store(replaying: initial, options: quiet, parts) },
            migrations: options.migrations, revision: options.revision)
    }

    /// A migration may make several actions of one, or none.
    func read(_ action: SyncAction) -> [LogEntry]? {
        action.entry().flatMap { try? codec.actions.decode($0) }
    }

    func decide(_ entries: [LogEntry], on state: inout State) -> Bool {
        // What a migration has made several actions of is taken back as a whole. A single one needs no copy,
        // for which its reducers would have to copy what they change.
        let before: State? = entries.count > 1 ? state : nil
        for entry in entries {
            func isRefused(_ action: some Action) -> Bool {
                reducer.failure(of: action, on: state, to: entry.address) != nil
            }
            if isRefused(entry.action) {
                if let before { state = before }
                return false
            }
            reduce([entry], into: &state)
        }
        return true
    }

    func reduce(_ entries: [LogEntry], into state: inout State) {
        for entry in entries {
            func open(_ action: some Action) {
                _ = reducer.reduce(
                    &state, action, to: entry.address, stamp: Stamp(entry.givenStamp))
            }
            open(entry.action)
        }
    }

    func confirmed(_ entries: [LogEntry], time: Timestamp?, author: String?) -> [LogEntry] {
        guard let time else { return entries }
        return entries.map { entry in
            guard let stamp = entry.stamp else { return entry }
            return LogEntry(
                version: entry.version, action: entry.action, address: entry.address,
                origin: entry.origin,
                stamp: EntryStamp(
                    seed: stamp.seed, numbers: stamp.numbers, time: time, author: author))
        }
    }

    func replaces(_ entries: [LogEntry], _ earlier: [LogEntry]) -> Bool {
        guard let entry = entries.first, let earlier = earlier.first, entries.count == 1 else {
            return false
        }
        return entry.address == earlier.address
            && replacements.contains { $0(entry.action, earlier.action) }
    }

    func dependsOnStamp(_ entries: [LogEntry]) -> Bool { entries.contains { $0.stamp != nil } }

    func state(of bytes: [UInt8], schema: Int) -> State? {
        try? codec.states.decode(
            JournalSnapshot(
                version: 0, schema: schema, fingerprint: codec.fingerprint, payload: bytes))
    }

    var isPartial: Bool { view != nil }

    func apply(_ changes: [SyncChange], to state: inout State) -> Bool {
        if let view { return view.apply(changes, to: &state) }
        guard let encoded = try? codec.states.encode(state, at: 0, by: codec.fingerprint),
            changes.first == EncodedParts.change(ofSchema: encoded.schema),
            var parts = EncodedParts(encoded.payload), parts.apply(changes.dropFirst()),
            let new = parts.bytes.flatMap({ self.state(of: $0, schema: encoded.schema) })
        else { return false }
        state = new
        return true
    }

    /// An action as it is proposed.
    ///
    /// - Throws: Why it can't be written.
    func written(_ entry: LogEntry) throws(JournalError) -> SyncAction {
        try ActionCodec.check(entry.address)
        return SyncAction(try codec.actions.encode(entry))
    }
}
