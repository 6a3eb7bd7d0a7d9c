// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal

/// A store of this process with its history; it doesn't keep the store alive.
final class AttachedStore<State: Sendable>: OwnStore {
    /// Files need a state that can be written and read.
    struct Files: Sendable {
        let write:
            @Sendable (HistoryLog<State>, ActionCodec, _ to: ([UInt8]) throws -> Void) throws ->
                Void
        let load: @Sendable (History<State>, DevToolsFile, ActionCodec) throws -> Void
        let shortest: ShortestTests<State>.Search
    }

    private let history: History<State>
    private let codec: ActionCodec
    private let files: Files?
    private let shortest: ShortestTests<State>?
    private weak let store: Store<State>?
    private let statistics = Statistics<State>()
    private let counting: Subscription
    let actionForms: [ActionForm]
    let pages: [InspectorPage]

    init(
        _ store: Store<State>, limit: Int, files: Files?, pages: [InspectorPage] = [],
        jobs: QuestionThread
    ) {
        history = History(of: store, limit: limit)
        codec = ActionCodec(for: store.log.actions)
        self.files = files
        self.pages = pages
        shortest = files.map { ShortestTests(store, on: jobs, $0.shortest) }
        self.store = store
        counting = store.log.attach(statistics)
        StoreActivity.prepare(store.diagnostics)
        actionForms = store.log.actions.shapes.map { ActionForm($0) }
    }

    var log: any InspectedLog { inspected }
    private var inspected: InspectedHistory<State> {
        InspectedHistory(
            history.log, codec, shortest: shortest,
            effects: store.map { RecordedEffects(of: $0) } ?? RecordedEffects())
    }
    var summary: LogSummary { InspectedHistory(history.log, codec).summary }
    var actionNames: [String] { codec.actions.names }

    var isEnded: Bool { store == nil || !history.isAttached }

    var activity: StoreActivity {
        guard let store else { return StoreActivity() }
        let staged = history.log.staged
        var activity = StoreActivity(of: store.diagnostics, statistics) { staged.id(of: $0) }
        activity.pageRevision = pages.reduce(0) { $0 &+ $1.revision() }
        return activity
    }

    // MARK: Searching

    var searchRevision: Int { shortest?.revision ?? 0 }

    func askForShortestTest(to moment: Int, keeping path: DataPath) -> ShortestTest {
        guard let shortest else { return .failed(InspectedHistory<State>.uncodable) }
        let log = inspected
        return shortest.ask(log.shortestKey(moment, path), in: log)
    }

    func shortestTest(
        to moment: Int, keeping path: DataPath
    ) async throws(InspectorError) -> FoundTest {
        guard let shortest else { throw InspectedHistory<State>.uncodable }
        let log = inspected
        return try await shortest.result(log.shortestKey(moment, path), in: log)
    }

    // MARK: Commands

    func perform(_ command: InspectorCommand) throws(InspectorError) {
        guard history.isAttached else {
            throw InspectorError(
                .refused,
                "The store has ended, or something else steers it. Its log can still be read.")
        }
        switch command {
        case .jump(let moment):
            try check(history.jump(to: moment), "There is no moment \(moment).")
        case .show(let entry):
            try check(history.jump(toEntry: entry), "There is no entry \(entry).")
        case .step(let distance):
            try check(history.step(by: distance), "There are not so many entries.")
        case .live: history.jumpToEnd()
        case .toggle(let entry):
            // One that is still to come could be skipped in advance, but nobody would see that.
            let isThere = history.log.index(of: entry) != nil
            try check(isThere && history.toggle(entry), "There is no entry \(entry).")
        case .skip(let first, let last): try setActive(false, first, last)
        case .run(let first, let last): try setActive(true, first, last)
        case .move(let entry, let other):
            let isMoved = history.perform { $0.move(entry, before: other) }
            try check(isMoved, "Entry \(entry) can't be moved before \(other).")
        case .lock: history.perform { $0.lock() }
        case .unlock: history.perform { $0.lock(false) }
        case .pause: history.perform { $0.pause() }
        case .record: history.perform { $0.pause(false) }
        case .reset: history.perform { $0.reset() }
        case .revert: history.perform { $0.rollback() }
        case .sweep: history.perform { $0.sweep() }
        case .commit: history.perform { $0.commit() }
        case .dispatch(let json): try dispatch(json)
        }
    }

    private func setActive(_ isActive: Bool, _ first: Int, _ last: Int) throws(InspectorError) {
        let isDone = first <= last && history.perform { $0.setActive(isActive, first...last) }
        try check(isDone, "There is no entry from \(first) to \(last).")
    }

    private func check(_ isDone: Bool, _ sentence: String) throws(InspectorError) {
        if !isDone { throw InspectorError(.missing, sentence) }
    }

    private func dispatch(_ json: String) throws(InspectorError) {
        guard let store else { throw InspectorError(.refused, "The store has ended.") }
        let decoded: (action: any Action, address: Address, stamp: EntryStamp?)
        do {
            let object = try DataFormat.json.value(of: Array(json.utf8))
            guard object["type"]?.text != nil else {
                throw InspectorError(
                    .invalid, "The field \"type\" is missing: the name of an action, and its case.")
            }
            decoded = try codec.action(of: object, "action")
        } catch let error as InspectorError {
            throw error
        } catch {
            throw InspectorError(.invalid, "\(error)")
        }
        let result = store.dispatch(
            decoded.action, to: decoded.address,
            file: "Inspector/dispatcher", line: 1)
        if case .refused(let reason) = result {
            throw InspectorError(.refused, "The store has refused the action: \(reason).")
        }
    }

    // MARK: Files

    func file() throws(InspectorError) -> [UInt8] {
        let limits = QuestionLimits(QuestionLimits.jobTime)
        limits.begin()
        return try file(within: limits)
    }

    func file(within limits: QuestionLimits) throws(InspectorError) -> [UInt8] {
        do {
            var bytes: [UInt8] = []
            try knownFiles().write(history.log, codec) { piece in
                if limits.isOver, let problem = limits.problem { throw problem }
                guard bytes.count + piece.count <= InspectorInterface.fileLimit else {
                    throw Self.fileTooLarge
                }
                bytes += piece
            }
            return bytes
        } catch {
            throw error as? InspectorError ?? InspectorError(.invalid, "\(error)")
        }
    }

    private static var fileTooLarge: InspectorError {
        InspectorError(
            .refused,
            """
            With the state after each entry the file has more than \(InspectorInterface.fileLimit >> 20) MiB. Commit \
            at a later moment first, or have the app write it: HistoryLog.writeDevToolsFile.
            """)
    }

    func load(_ file: [UInt8]) throws(InspectorError) {
        do {
            let files = try knownFiles()
            try files.load(history, DevToolsFile(file), codec)
        } catch {
            throw error as? InspectorError ?? InspectorError(.invalid, "\(error)")
        }
    }

    private func knownFiles() throws(InspectorError) -> Files {
        guard let files else {
            throw InspectorError(
                .invalid, "\(State.self) is not Codable, so there are no files of its log.")
        }
        return files
    }
}
