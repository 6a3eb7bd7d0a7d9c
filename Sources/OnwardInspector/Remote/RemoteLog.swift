// SPDX-License-Identifier: MIT
#if Server

internal import Onward
internal import OnwardInspection
internal import OnwardJournal

/// The log of a remote store, as far as it has been queried: a value, like any other log.
///
/// Queries without an answer yet return nothing, and are noted if someone collects them.
struct RemoteLog: InspectedLog {
    let summary: LogSummary
    private var answers: [RemoteQuestion: RemoteAnswer] = [:]
    private var moments: [Int: Int] = [:]
    private var ids: [Int: Int] = [:]
    private var unanswered: Unanswered?

    init(_ summary: LogSummary) {
        self.summary = summary
        note(summary.shownID, at: summary.cursor)
        note(summary.newestID, at: summary.count)
    }

    /// Adds an answer.
    mutating func take(_ answer: RemoteAnswer, to question: RemoteQuestion) {
        answers[question] = answer
        switch answer {
        case .entries(let page):
            for line in page.entries { note(line.id, at: line.moment) }
        case .entry(let detail): note(detail.line.id, at: detail.line.moment)
        default: break
        }
    }

    private mutating func note(_ id: Int, at moment: Int) {
        guard id > 0, moment > 0 else { return }
        moments[id] = moment
        ids[moment] = id
    }

    func answering<Value>(_ questions: (any InspectedLog) -> Value) -> Value? {
        let (value, missing) = asking(questions)
        unanswered?.questions.withValue { $0.formUnion(missing) }
        return missing.isEmpty ? value : nil
    }

    /// The result of some queries, and those of them that have no answer yet.
    func asking<Value>(
        _ questions: (any InspectedLog) -> Value
    ) -> (value: Value, missing: Set<RemoteQuestion>) {
        let unanswered = Unanswered()
        var log = self
        log.unanswered = unanswered
        let value = questions(log)
        return (value, unanswered.questions.withValue { $0 })
    }

    /// Why a query was not answered; nil if all were.
    var failure: String? {
        for case .failed(let reason) in answers.values { return reason }
        return nil
    }

    /// The answer to a question; nil if there is none yet.
    private func answer(_ question: RemoteQuestion) -> RemoteAnswer? {
        if let answer = answers[question] { return answer }
        unanswered?.questions.withValue { _ = $0.insert(question) }
        return nil
    }

    /// The questions that had no answer.
    private final class Unanswered: Sendable {
        let questions = Guarded<Set<RemoteQuestion>>([])
    }
}

// MARK: - Questions

extension RemoteLog {
    func entries(_ query: EntryQuery) -> EntryPage {
        guard case .entries(let page)? = answer(.entries(query)) else { return EntryPage() }
        return page
    }

    func entry(_ id: Int) -> EntryDetail? {
        guard id > 0, case .entry(let detail)? = answer(.entry(id)) else { return nil }
        return detail
    }

    func moment(after id: Int) -> Int? {
        guard id > 0 else { return id == 0 ? 0 : nil }
        return moments[id] ?? entry(id)?.line.moment
    }

    func id(before moment: Int) -> Int? {
        guard moment > 0, moment <= summary.count else { return moment == 0 ? 0 : nil }
        if let id = ids[moment] { return id }
        var query = EntryQuery()
        (query.start, query.limit) = (.before(moment), 1)
        return entries(query).entries.first { $0.moment == moment }?.id
    }

    func state(
        at moment: Int, _ path: DataPath, from first: Int, limit: Int
    ) -> StateNode? {
        guard let id = id(before: moment),
            case .state(let node)? = answer(.state(after: id, path, from: first, limit: limit))
        else { return nil }
        return node
    }

    func text(at moment: Int, _ path: DataPath, limit: Int) -> String? {
        guard let id = id(before: moment),
            case .text(let text)? = answer(.text(after: id, path, limit: limit))
        else { return nil }
        return text
    }

    func find(
        _ text: String, at moment: Int, in path: DataPath, limit: Int
    ) -> [StateNode] {
        guard !text.isEmpty, let id = id(before: moment),
            case .found(let found)? = answer(.find(text, after: id, path, limit: limit))
        else { return [] }
        return found
    }

    func changes(
        from old: Int, to new: Int, in path: DataPath, limit: Int
    ) -> [StateChange] {
        guard let old = id(before: old), let new = id(before: new),
            case .changes(let changes)? = answer(.changes(from: old, to: new, path, limit: limit))
        else { return [] }
        return changes
    }

    /// Complete values stay where they are.
    func value(at moment: Int, _ path: DataPath) -> DataValue? { nil }

    func testSource(from start: Int, to end: Int) throws(InspectorError) -> String {
        guard let start = id(before: start), let end = id(before: end) else {
            throw InspectorError(.missing, "There is no such entry.")
        }
        return try source(.test(from: start, to: end))
    }

    func shortestTest(to moment: Int, keeping path: DataPath) -> ShortestTest {
        guard let id = id(before: moment) else { return .none }
        switch answer(.shortestTest(to: id, path)) {
        case .search(let search)?: return search
        case .failed(let reason)?: return .failed(InspectorError(.refused, reason))
        default: return .none
        }
    }

    /// Whether the app searches for something, so that it has to be asked again.
    var isSearching: Bool {
        answers.values.contains { answer in
            switch answer {
            case .search(.waiting), .search(.searching), .search(.none): true
            default: false
            }
        }
    }

    private func source(_ question: RemoteQuestion) throws(InspectorError) -> String {
        switch answer(question) {
        case .test(let source)?: return source
        case .failed(let reason)?: throw InspectorError(.refused, reason)
        default: throw InspectorError(.missing, "The app has not answered yet.")
        }
    }

    func effects(_ query: EffectQuery) -> EffectPage {
        guard case .effects(let page)? = answer(.effects(query)) else { return EffectPage() }
        return page
    }

    func routes(_ query: EntryQuery) -> EntryPage {
        guard case .entries(let page)? = answer(.routes(query)) else { return EntryPage() }
        return page
    }

    /// What a page of the app answers; nothing as long as it hasn't.
    func page(
        _ name: String, _ question: PageQuestion, entry: Int
    ) throws(InspectorError) -> [PageBlock] {
        switch answer(.page(name, question, entry: entry)) {
        case .page(let blocks)?: return blocks
        case .failed(let reason)?: throw InspectorError(.refused, reason)
        case .none?: throw InspectorError(.missing, "The app has no such page.")
        default: return []
        }
    }

    /// The actions that can be dispatched; nil if they are not known yet.
    var actions: (forms: [ActionForm], names: [String])? {
        guard case .actions(let forms, let names)? = answer(.actions) else { return nil }
        return (forms, names)
    }

    var activity: StoreActivity? {
        guard case .activity(let activity)? = answer(.activity) else { return nil }
        return activity
    }
}
#endif
