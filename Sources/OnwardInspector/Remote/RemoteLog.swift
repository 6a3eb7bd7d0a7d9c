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
        case .known(let page as EntryPage):
            for line in page.entries { note(line.id, at: line.moment) }
        case .known(let detail as EntryDetail): note(detail.line.id, at: detail.line.moment)
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

    /// What came of a question; nil if nothing has yet.
    private func outcome(of question: some LogQuestion) -> RemoteAnswer? {
        let question = RemoteQuestion(question)
        if let answer = answers[question] { return answer }
        unanswered?.questions.withValue { _ = $0.insert(question) }
        return nil
    }

    /// The answer to a question; nil if there is none, or none yet.
    private func answer<Question: LogQuestion>(to question: Question) -> Question.Answer? {
        guard case .known(let answer)? = outcome(of: question) else { return nil }
        return answer as? Question.Answer
    }

    /// The answer to a question; nil if there is none, or none yet.
    ///
    /// - Throws: Why the app refuses it.
    private func refusableAnswer<Question: LogQuestion>(
        to question: Question
    ) throws(InspectorError) -> Question.Answer? {
        guard case .failed(let reason)? = outcome(of: question) else { return answer(to: question) }
        throw InspectorError(.refused, reason)
    }

    /// The questions that had no answer.
    private final class Unanswered: Sendable {
        let questions = Guarded<Set<RemoteQuestion>>([])
    }
}

// MARK: - Questions

extension RemoteLog {
    func entries(_ query: EntryQuery) -> EntryPage {
        answer(to: EntriesQuestion(query)) ?? EntryPage()
    }

    func entry(_ id: Int) -> EntryDetail? { id > 0 ? answer(to: EntryQuestion(id)) : nil }

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

    func state(at moment: Int, _ path: DataPath, from first: Int, limit: Int) -> StateNode? {
        id(before: moment).flatMap { id in
            answer(to: StateQuestion(after: id, path, from: first, limit: limit))?.value
        }
    }

    func text(at moment: Int, _ path: DataPath, limit: Int) -> String? {
        id(before: moment).flatMap { id in
            answer(to: StateTextQuestion(after: id, path, limit: limit))?.value.text
        }
    }

    func find(_ text: String, at moment: Int, in path: DataPath, limit: Int) -> [StateNode] {
        guard !text.isEmpty, let id = id(before: moment) else { return [] }
        return answer(to: FindQuestion(text, after: id, path, limit: limit))?.found ?? []
    }

    func changes(from old: Int, to new: Int, in path: DataPath, limit: Int) -> [StateChange] {
        guard let old = id(before: old), let new = id(before: new) else { return [] }
        return answer(to: DiffQuestion(from: old, to: new, path, limit: limit))?.changes ?? []
    }

    /// Complete values stay where they are.
    func value(at moment: Int, _ path: DataPath) -> DataValue? { nil }

    func testSource(from start: Int, to end: Int) throws(InspectorError) -> String {
        guard let start = id(before: start), let end = id(before: end) else {
            throw InspectorError(.missing, "There is no such entry.")
        }
        guard let test = try refusableAnswer(to: TestQuestion(from: start, to: end)) else {
            throw InspectorError(.missing, "The app has not answered yet.")
        }
        return test.source
    }

    func shortestTest(to moment: Int, keeping path: DataPath) -> ShortestTest {
        guard let id = id(before: moment) else { return .none }
        switch outcome(of: ShortestTestQuestion(to: id, path)) {
        case .known(let search as ShortestTest)?: return search
        case .failed(let reason)?: return .failed(InspectorError(.refused, reason))
        default: return .none
        }
    }

    /// Whether the app searches for something, so that it has to be asked again.
    var isSearching: Bool {
        answers.values.contains { answer in
            guard case .known(let search as ShortestTest) = answer else { return false }
            if case .found = search { return false }
            return true
        }
    }

    func effects(_ query: EffectQuery) -> EffectPage {
        answer(to: EffectsQuestion(query)) ?? EffectPage()
    }

    func routes(_ query: EntryQuery) -> EntryPage {
        answer(to: RoutesQuestion(query)) ?? EntryPage()
    }

    /// What a page of the app answers; nothing as long as it hasn't.
    func page(
        _ name: String, _ question: PageQuestion, entry: Int
    ) throws(InspectorError) -> [PageBlock] {
        let question = PageBlocksQuestion(name, question, entry: entry)
        if case .some(.none) = outcome(of: question) {
            throw InspectorError(.missing, "The app has no such page.")
        }
        return try refusableAnswer(to: question)?.blocks ?? []
    }

    /// The actions that can be dispatched; nil if they are not known yet.
    var actions: ActionForms? { answer(to: ActionsQuestion()) }

    var activity: StoreActivity? { answer(to: ActivityQuestion()) }
}
#endif
