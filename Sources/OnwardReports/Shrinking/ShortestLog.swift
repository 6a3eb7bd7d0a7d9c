// SPDX-License-Identifier: MIT

public import Onward
public import OnwardJournal

/// A shortest list of entries with a fault, and the state before them.
public struct ShortestLog<State: Codable & Sendable>: Sendable {
    /// The state before the first entry.
    public let start: State
    /// The entries, in order, of which no single one can be left out.
    public let entries: [LogEntry]
    /// Whether the search came to its end; false if its limit was reached first, so that some
    /// entries may not be needed.
    public let isMinimal: Bool

    private let actions: ActionCodec

    init(from start: State, _ entries: [LogEntry], by store: Store<State>, isMinimal: Bool) {
        self.start = start
        self.entries = entries
        self.isMinimal = isMinimal
        actions = ActionCodec(for: store.log.actions, format: .json)
    }

    /// The source of a Swift Testing test that runs the entries and expects no fault.
    ///
    /// ```swift
    /// let source = try shortest.testSource(
    ///     named: "the balance is never negative", importing: ["BankCore"],
    ///     making: "Store(Bank()) { bank }", expecting: "state.balance >= 0")
    /// ```
    ///
    /// The test uses `RecordedLog` of `OnwardTesting`. It contains the actions and the state as
    /// JSON, so it needs none of their initialisers.
    ///
    /// - Parameters:
    ///   - name: The name of the test.
    ///   - modules: The modules of the app; imported with `@testable`.
    ///   - expression: Swift source that makes a store with the features.
    ///   - expectation: Swift source of a condition on `state`; nil if it is enough that the
    ///     program doesn't die.
    /// - Returns: The contents of a source file.
    /// - Throws: `JournalError` with the code `invalid` for an action or a state that cannot be
    ///   encoded.
    /// - Complexity: O(size of the state and of the entries).
    public func testSource(
        named name: String, importing modules: [String] = [], making expression: String,
        expecting expectation: String? = nil
    ) throws(JournalError) -> String {
        let value: DataValue
        do {
            value = try DataValue(encoding: start)
        } catch {
            throw JournalError(.invalid, "The state cannot be encoded: \(error).")
        }
        var steps: [String] = []
        for entry in entries {
            let record = try actions.record(of: entry.action, at: entry.version)
            var step = Replay.literal(record.name)
            let payload = record.payload.stamped(entry.stamp)
            if payload != [:] { step += ", \(Replay.literal(Replay.json(payload)))" }
            if entry.address != .root {
                step += ", at: \(Replay.literal(entry.address.description))"
            }
            steps.append("        .init(\(step)),\n")
        }
        let imports = modules.map { "@testable import \($0)\n" }.joined()
        let log = """
            RecordedLog(from: \(Replay.literal(Replay.json(value))), [
            \(steps.joined())    ])
            """
        let body =
            expectation.map {
                "let state = try \(log).state(by: \(expression))\n    #expect(\($0))"
            }
            ?? "try \(log).check(by: \(expression))"
        return """
            // Written by ShortestLog.testSource.
            // swift-format-ignore-file

            import Onward
            import OnwardTesting
            import Testing
            \(imports)
            @Test func `\(Replay.title(name))`() throws {
                \(body)
            }

            """
    }
}

extension Report {
    /// Finds a shortest list of the report's entries that still leads to a state with a fault, with
    /// values as simple as the fault allows.
    ///
    /// The list ends with the entry after which the fault shows first. All entries of an action or
    /// an address are removed from it, as long as the rest still leads to the fault. Lists of few
    /// entries with plain values are searched for from the beginning, because entries that each
    /// depend on all previous ones can't be removed one by one. Then parts are removed, halves
    /// first and single entries last (delta debugging); numbers come nearer to 0, texts and lists
    /// become shorter, in the actions and in the state before them; this continues until nothing
    /// changes. So no single entry of the result can be left out, but a list that is shorter by
    /// several at once may exist. The same report gives the same list.
    ///
    /// ```swift
    /// let shortest = try report.shortest(in: bank) { (bank: Bank) in bank.balance < 0 }
    /// ```
    ///
    /// - Parameters:
    ///   - feature: The features of the app; only their reducers run.
    ///   - migrations: Migrations of what older features recorded to the present schema versions.
    ///   - limit: About how many actions are reduced at most; after that, the best list so far is
    ///     returned.
    ///   - progress: Called each time there are fewer entries, or simpler ones, and for every
    ///     100,000 actions that are reduced.
    ///   - fault: Whether a state has the fault; must be pure.
    /// - Returns: The state and the entries.
    /// - Throws: ``ReportError/Code/noFault``; ``ReportError/Code/unreadable``.
    /// - Complexity: O(*n* × *k*) reduced actions for *n* entries of which *k* are needed, as a
    ///   rule, and never more than the limit; besides, up to 60,000 states are encoded, fewer where
    ///   they are large.
    public func shortest<State: Codable & Sendable>(
        in feature: some Part<State>, migrations: Migrations = Migrations(),
        limit: Int = 20_000_000, progress: (ShrinkProgress) -> Void = { _ in },
        where fault: (State) -> Bool
    ) throws(ReportError) -> ShortestLog<State> {
        let placeholder = try StateCodec<State>(migrations: migrations).start(of: self)
        let store = Store.folding(feature, from: placeholder)
        let (start, entries) = try decoded(by: store, migrations)
        // Across a gap nothing can be left out, so each part is searched for itself.
        for stretch in Stretch.all(start, entries) {
            do {
                return try Replay.shortest(
                    of: stretch.entries, from: stretch.start, by: store, limit: limit,
                    progress: progress, where: fault)
            } catch  where error.code == .noFault {
                continue
            }
        }
        throw .noFault(entries.count)
    }

    /// Finds a shortest list of entries after which the state can't be encoded, or isn't the same
    /// after decoding.
    ///
    /// - Parameters:
    ///   - feature: The features of the app; only their reducers run.
    ///   - progress: Called each time there are fewer entries.
    /// - Returns: The state and the entries.
    /// - Throws: ``ReportError/Code/noFault``; ``ReportError/Code/unreadable``.
    /// - Complexity: As for ``shortest(in:migrations:limit:progress:where:)``, and O(size of the
    ///   state) for each entry.
    public func shortestUncodable<State: Codable & Sendable>(
        in feature: some Part<State>, progress: (ShrinkProgress) -> Void = { _ in }
    ) throws(ReportError) -> ShortestLog<State> {
        try shortest(in: feature, progress: progress) { (state: State) in
            guard let value = try? DataValue(encoding: state),
                let bytes = try? DataFormat.cbor.bytes(
                    of: value, within: StateCodec<State>().limits),
                let read = try? DataFormat.cbor.value(
                    of: bytes, limits: StateCodec<State>().limits),
                let copy = try? read.decoded(as: State.self),
                let again = try? DataValue(encoding: copy)
            else { return true }
            return value.firstDifference(from: again) != nil
        }
    }
}

extension Replay {
    /// Finds a shortest list of a log's entries that still leads to a state with a fault.
    ///
    /// Does what ``Report/shortest(in:migrations:limit:progress:where:)`` does, for a log of this
    /// program.
    ///
    /// - Parameters:
    ///   - entries: The log.
    ///   - state: The state before the first entry.
    ///   - store: The store with the features; its own state is not touched.
    ///   - limit: About how many actions are reduced at most; after that, the best list so far is
    ///     returned.
    ///   - progress: Called each time there are fewer entries, or simpler ones, and for every
    ///     100,000 actions that are reduced.
    ///   - fault: Whether a state has the fault; must be pure.
    /// - Returns: The state and the entries.
    /// - Throws: ``ReportError/Code/noFault``.
    /// - Complexity: O(*n* × *k*) reduced actions for *n* entries of which *k* are needed, as a
    ///   rule, and never more than the limit; besides, up to 60,000 states are encoded, fewer where
    ///   they are large.
    public static func shortest<State: Codable & Sendable>(
        of entries: some Sequence<LogEntry>, from state: State, by store: Store<State>,
        limit: Int = 20_000_000, progress: (ShrinkProgress) -> Void = { _ in },
        where fault: (State) -> Bool
    ) throws(ReportError) -> ShortestLog<State> {
        let actions = entries.filter { $0.kind == .action }
        let codec = ActionCodec(for: store.log.actions)
        return try withoutActuallyEscaping(fault) { fault throws(ReportError) in
            try withoutActuallyEscaping(progress) { progress throws(ReportError) in
                var search = Minimizer(
                    FoldTrial(start: state, store: store, fault: fault), limit: limit,
                    progress: progress)
                guard var left = try search.cut(actions) else {
                    throw ReportError.noFault(actions.count)
                }
                left = try search.withoutKinds(left, codec.kinds(of:))
                let forward = ForwardSearch(start: state, store: store, fault: fault, codec: codec)
                for _ in 0..<2 {
                    let before = search.successes
                    if let fewer = forward.list(in: left) {
                        left = fewer
                        search.note(left.count)
                    }
                    // As much as it takes where some ten entries are needed; then there are fewer
                    // actions to try.
                    left = try search.withoutParts(left, atMost: 200 * left.count)
                    if search.successes == before { break }
                }
                left = try search.smallest(of: left, codec) { search, left throws(ReportError) in
                    try search.simplifyStart(before: left)
                }
                return ShortestLog(
                    from: search.trial.start, left, by: store, isMinimal: !search.isExhausted)
            }
        }
    }
}

extension ReportError {
    static func noFault(_ count: Int) -> ReportError {
        ReportError(
            .noFault,
            """
            None of the \(count) entries leads to the fault. Is it in the part of the session that is missing, \
            or has a change of the reducers mended it?
            """)
    }
}
