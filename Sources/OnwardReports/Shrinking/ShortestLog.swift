// SPDX-License-Identifier: MIT

public import Onward
public import OnwardJournal

/// A shortest list of entries with a fault, and the state before them.
public struct ShortestLog<State: Codable & Sendable>: Sendable {
    /// The state before the first entry.
    public let start: State
    /// The entries, in order, of which no single one can be left out.
    public let entries: [Entry]

    private let actions: ActionCodec

    init(from start: State, _ entries: [Entry], by store: Store<State>) {
        self.start = start
        self.entries = entries
        actions = ActionCodec(for: store.log.actions, format: .json)
    }

    /// The source of a Swift Testing test that runs the entries, and expects that there is no fault.
    ///
    /// ```swift
    /// let source = try shortest.testSource(
    ///     named: "the balance is never negative", importing: ["BankCore"],
    ///     making: "Store(Bank()) { bank }", expecting: "state.balance >= 0")
    /// ```
    ///
    /// The test uses `RecordedLog` of `OnwardTesting`. Actions and the state stand in it as JSON, so it needs no
    /// initialiser of theirs.
    ///
    /// - Parameters:
    ///   - name: The name of the test.
    ///   - modules: The modules of the app; imported with `@testable`.
    ///   - expression: Swift source that makes a store with the features.
    ///   - expectation: Swift source of a condition on `state`; nil where it is enough that the program doesn't die.
    /// - Returns: A file of source.
    /// - Throws: `JournalError` of the code `invalid` for an action or a state that cannot be encoded.
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
            if record.payload != .null && record.payload != [:] {
                step += ", \(Replay.literal(Replay.json(record.payload)))"
            }
            if entry.address != .root {
                step += ", at: \(Replay.literal(entry.address.description))"
            }
            steps.append("        .init(\(step)),\n")
        }
        let imports = modules.map { "@testable import \($0)\n" }.joined()
        let end =
            expectation.map {
                "    let state = try log.state(by: \(expression))\n    #expect(\($0))"
            }
            ?? "    try log.check(by: \(expression))"
        return """
            // SPDX-License-Identifier: MIT
            // Written by ShortestLog.testSource.
            // swift-format-ignore-file

            import Onward
            import OnwardTesting
            import Testing
            \(imports)
            @Test func `\(Replay.title(name))`() throws {
                let log = RecordedLog(from: \(Replay.literal(Replay.json(value))), [
            \(steps.joined())    ])
            \(end)
            }

            """
    }
}

extension Report {
    /// A shortest list of entries of the report that still leads to a state with a fault, with values as simple as
    /// the fault allows.
    ///
    /// The list ends with the entry after which the fault shows first. From it parts are taken out, halves first and
    /// single entries last, as long as the rest still leads to the fault (delta debugging). So no single entry of
    /// the result can be left out; a list that is shorter by several at once may exist. Then numbers come nearer to
    /// 0, texts and lists become shorter, in the actions and in the state before them. The same report gives the
    /// same list.
    ///
    /// ```swift
    /// let shortest = try report.shortest(in: bank) { (bank: Bank) in bank.balance < 0 }
    /// ```
    ///
    /// - Parameters:
    ///   - feature: The features of the app; only their reducers run.
    ///   - migrations: How what older features recorded is brought to the present schema versions.
    ///   - progress: Called each time there are fewer entries.
    ///   - fault: Whether a state has the fault; pure.
    /// - Returns: The state and the entries.
    /// - Throws: ``ReportError/Code/noFault``; ``ReportError/Code/unreadable``.
    /// - Complexity: O(*n* × *k*) reduced actions for *n* entries of which *k* are needed, as a rule; O(*n*³) at
    ///   worst.
    public func shortest<State: Codable & Sendable>(
        in feature: some Part<State>, migrations: Migrations = Migrations(),
        progress: (ShrinkProgress) -> Void = { _ in }, where fault: (State) -> Bool
    ) throws(ReportError) -> ShortestLog<State> {
        let placeholder = try StateCodec<State>(migrations: migrations).start(of: self)
        let store = Store.folding(feature, from: placeholder)
        let (start, entries) = try decoded(by: store, migrations)
        return try Replay.shortest(
            of: entries, from: start, by: store, progress: progress, where: fault)
    }

    /// A shortest list of entries after which the state can't be encoded, or isn't the same once it was decoded.
    ///
    /// - Parameters:
    ///   - feature: The features of the app; only their reducers run.
    ///   - progress: Called each time there are fewer entries.
    /// - Returns: The state and the entries.
    /// - Throws: ``ReportError/Code/noFault``; ``ReportError/Code/unreadable``.
    /// - Complexity: As of ``shortest(in:migrations:progress:where:)``, and O(size of the state) for each entry.
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

extension StateCodec {
    /// The state that a report begins with.
    func start(of report: Report) throws(ReportError) -> State {
        do {
            return try decode(report.start)
        } catch {
            throw ReportError(
                .unreadable,
                """
                The state at version \(report.start.version) is no \(State.self) of this program. Open the \
                report with the features that recorded it (\(report.fingerprint)), or give the migrations.
                """)
        }
    }
}

extension Replay {
    /// A shortest list of entries of a log that still leads to a state with a fault.
    ///
    /// What ``Report/shortest(in:migrations:progress:where:)`` does for a log of this program.
    ///
    /// - Parameters:
    ///   - entries: The log.
    ///   - state: The state before the first entry.
    ///   - store: The store with the features; its own state is not touched.
    ///   - progress: Called each time there are fewer entries.
    ///   - fault: Whether a state has the fault; pure.
    /// - Returns: The state and the entries.
    /// - Throws: ``ReportError/Code/noFault``.
    /// - Complexity: O(*n* × *k*) reduced actions for *n* entries of which *k* are needed, as a rule; O(*n*³) at
    ///   worst.
    public static func shortest<State: Codable & Sendable>(
        of entries: some Sequence<Entry>, from state: State, by store: Store<State>,
        progress: (ShrinkProgress) -> Void = { _ in }, where fault: (State) -> Bool
    ) throws(ReportError) -> ShortestLog<State> {
        let actions = entries.filter { $0.kind == .action }
        let codec = ActionCodec(for: store.log.actions)
        return try withoutActuallyEscaping(fault) { fault throws(ReportError) in
            try withoutActuallyEscaping(progress) { progress throws(ReportError) in
                func minimizer(from start: State) -> Minimizer<FoldTrial<State>> {
                    Minimizer(
                        FoldTrial(start: start, store: store, fault: fault), progress: progress)
                }
                var search = minimizer(from: state)
                guard var left = try search.shortest(of: actions) else {
                    throw ReportError.noFault(actions.count)
                }
                var start = state
                left = try search.simplest(of: left, codec.simpler)
                if let simpler = simplest(start, left, by: store, fault) {
                    start = simpler
                    // From a simpler state fewer entries may do, with simpler values.
                    var again = minimizer(from: start)
                    left = try again.shortest(of: left) ?? left
                    left = try again.simplest(of: left, codec.simpler)
                }
                return ShortestLog(from: start, left, by: store)
            }
        }
    }

    /// A simpler state from which the entries still lead to the fault; nil where there is none.
    private static func simplest<State: Codable & Sendable>(
        _ start: State, _ entries: [Entry], by store: Store<State>, _ fault: (State) -> Bool
    ) -> State? {
        guard var value = try? DataValue(encoding: start) else { return nil }
        var found: State?
        var runs = 0
        var isSimpler = true
        while isSimpler, runs < 20_000 {
            isSimpler = false
            for candidate in value.simpler where runs < 20_000 {
                runs += 1
                guard let state = try? candidate.decoded(as: State.self), !fault(state),
                    fault(store.log.replay(entries, from: state))
                else { continue }
                (value, found, isSimpler) = (candidate, state, true)
                break
            }
        }
        return found
    }
}

extension ActionCodec {
    /// What is a step simpler than an entry, the simplest first; nothing where its action is not `Codable`.
    func simpler(_ entry: Entry) -> [Entry] {
        guard let record = try? record(of: entry.action) else { return [] }
        return record.payload.simpler.compactMap { payload in
            var record = record
            record.payload = payload
            guard let action = try? action(of: record) else { return nil }
            return Entry(
                version: entry.version, action: action, address: entry.address,
                parent: entry.parent, origin: entry.origin, time: entry.time)
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
