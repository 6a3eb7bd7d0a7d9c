// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal
internal import OnwardReports

/// Searches for shortest lists of a store's entries, each for as long as someone waits for it.
final class ShortestTests<State: Sendable>: Sendable {
    /// What is sought: the value at a path after an entry.
    struct Key: Hashable, Sendable {
        /// The number of entries since the beginning, those that are part of the base included.
        let position: Int
        let path: DataPath
        let revision: Int
    }

    /// A shortest list of entries, and the state before it.
    ///
    /// - Parameters:
    ///   - entries: The entries.
    ///   - state: The state before them.
    ///   - progress: Called when there are fewer entries.
    ///   - fault: Whether a state is as required.
    typealias Search =
        @Sendable (
            _ entries: [LogEntry], _ state: State, _ store: Store<State>,
            _ progress: (ShrinkProgress) -> Void, _ fault: (State) -> Bool
        ) throws(ReportError) -> ShortestList

    /// The result of a search.
    struct ShortestList {
        let state: State
        let entries: [LogEntry]
        let isMinimal: Bool
    }

    private typealias Answer = CheckedContinuation<Result<FoundTest, InspectorError>, Never>

    private struct Searches {
        var table = SearchTable<Key>()
        var answers: [Int: Answer] = [:]
    }

    private weak let store: Store<State>?
    private let search: Search
    private let thread: QuestionThread
    private let now: @Sendable () -> Duration
    private let searches = Guarded(Searches())

    /// Creates searches in a store.
    ///
    /// - Parameters:
    ///   - store: The store, whose reducers run.
    ///   - thread: Where the searches run, one after the other.
    ///   - now: The time that has passed.
    ///   - search: Finds a list.
    init(
        _ store: Store<State>, on thread: QuestionThread,
        now: @escaping @Sendable () -> Duration = QuestionLimits.elapsed,
        _ search: @escaping Search
    ) {
        self.store = store
        self.thread = thread
        self.now = now
        self.search = search
    }

    /// Grows when a search gets further.
    var revision: Int { searches.withValue { $0.table.revision } }

    /// How far a search is.
    func status(of key: Key) -> ShortestTest { searches.withValue { $0.table.status(of: key) } }

    /// Begins a search, or goes on with it for the next three seconds.
    func ask(_ key: Key, in history: InspectedHistory<State>) -> ShortestTest {
        let now = now()
        switch searches.withValue({ $0.table.ask(key, at: now) }) {
        case .known: break
        case .new: begin(key, in: history)
        case .refused: return .failed(Self.busy)
        }
        return status(of: key)
    }

    /// The result of a search, which is given up when the calling task is cancelled.
    func result(
        _ key: Key, in history: InspectedHistory<State>
    ) async throws(InspectorError) -> FoundTest {
        let now = now()
        let (waiter, start) = searches.withValue { $0.table.join(key, at: now) }
        guard start != .refused else { throw Self.busy }
        guard let waiter else { return try status(of: key).result() }
        if start == .new { begin(key, in: history) }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { answer in wait(key, waiter, answer) }
        } onCancel: {
            let answer = searches.withValue { searches in
                searches.table.leave(key, waiter)
                return searches.answers.removeValue(forKey: waiter)
            }
            answer?.resume(returning: .failure(Self.cancelled))
        }
        return try result.get()
    }

    /// Keeps a continuation until the search ends; it may have ended, or the task been cancelled.
    private func wait(_ key: Key, _ waiter: Int, _ answer: Answer) {
        let isCancelled = Task.isCancelled
        let known = searches.withValue { searches -> Result<FoundTest, InspectorError>? in
            if isCancelled { return .failure(Self.cancelled) }
            switch searches.table.status(of: key) {
            case .none: return .failure(Self.cancelled)
            case .found(let found): return .success(found)
            case .failed(let problem): return .failure(problem)
            case .waiting, .searching:
                searches.answers[waiter] = answer
                return nil
            }
        }
        if let known { answer.resume(returning: known) }
    }

    private func begin(_ key: Key, in history: InspectedHistory<State>) {
        // A task, so that the search can be cancelled in the middle of what it tries.
        Task(executorPreference: thread) { [weak self] in self?.search(key, in: history) }
    }

    /// Searches, on the thread.
    private func search(_ key: Key, in history: InspectedHistory<State>) {
        let limits = QuestionLimits(QuestionLimits.jobTime, now: now) { [weak self] in
            guard let self else { return false }
            let now = self.now()
            return self.searches.withValue { $0.table.isWanted(key, at: now) }
        }
        limits.begin()
        var result: Result<FoundTest, InspectorError>?
        if !limits.isOver, let store {
            note(key, entries: history.log.staged.count, runs: 0)
            result = Result { () throws(InspectorError) in
                try history.shortestTest(key, limits) {
                    entries, state, fault throws(ReportError) in
                    try search(
                        entries, state, store, { note(key, entries: $0.entries, runs: $0.runs) },
                        fault)
                }
            }
        }
        // What nobody waits for isn't kept; somebody who comes meanwhile begins anew.
        if limits.problem != nil, !limits.isTimeOver { result = nil }
        let answers = searches.withValue { [result] searches in
            searches.table.end(key, with: result).compactMap {
                searches.answers.removeValue(forKey: $0)
            }
        }
        for answer in answers { answer.resume(returning: result ?? .failure(Self.cancelled)) }
    }

    private func note(_ key: Key, entries: Int, runs: Int) {
        searches.withValue { $0.table.note(key, entries: entries, runs: runs) }
    }

    private static var busy: InspectorError {
        InspectorError(.refused, "Too many searches are waiting. Ask again later.")
    }

    private static var cancelled: InspectorError {
        InspectorError(.refused, "The search was given up. Ask again.")
    }
}

extension ShortestTest {
    /// The result, if there is one.
    fileprivate func result() throws(InspectorError) -> FoundTest {
        switch self {
        case .found(let found): return found
        case .failed(let problem): throw problem
        case .none, .waiting, .searching:
            throw InspectorError(.refused, "The search has not ended.")
        }
    }
}
