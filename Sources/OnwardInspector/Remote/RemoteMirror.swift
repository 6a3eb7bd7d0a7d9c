// SPDX-License-Identifier: MIT
#if Server

internal import OnwardInspection

/// What is shown of a remote store: a machine that handles answers and decides what to ask.
///
/// Pages show a complete log: one moment of the store, with the answers to everything that the open
/// tabs ask of it. While the next one is gathered, the last one stays. Each round of answers may
/// lead to further questions, since the part of the state to ask for depends on the entry; after a
/// few rounds, whatever is there is shown.
struct RemoteMirror {
    /// How many rounds of questions a log may take.
    private static let mostRounds = 6

    /// What pages show.
    private(set) var shown = RemoteLog(LogSummary())
    private(set) var actions = ActionForms()
    private(set) var activity = StoreActivity()
    /// Why something isn't shown.
    private(set) var failure: String?
    /// Increases with each log that is shown.
    private(set) var arrivals = 0
    /// The places of the open tabs that show the store.
    private var places: Set<Place> = []
    /// The pages that the store has.
    var pages: [InspectorPage] = []
    private(set) var newest = LogSummary()
    /// The log that is being gathered, what it waits for, and how often it has asked.
    private var next:
        (log: RemoteLog, waiting: Set<RemoteQuestion>, rounds: Int, places: Set<Place>)?
    /// Whether what is shown lacks answers for the open tabs, or is from an app that has gone.
    private var isStale = false
    /// When gathering the last log began.
    private var begun: Duration?
    /// Distinguishes answers to earlier questions from answers to the current ones.
    private(set) var number = 0

    /// A log whose questions are to be found.
    struct Plan {
        let number: Int
        let log: RemoteLog
        let places: Set<Place>
    }

    /// The app reports the length of the log.
    mutating func learn(_ summary: LogSummary) { newest = summary.bounded }

    /// Someone has done something: the result is shown at once.
    mutating func hasten() { isStale = true }

    /// Other tabs are open.
    mutating func watch(_ places: Set<Place>) {
        guard places != self.places else { return }
        self.places = places
        isStale = true
    }

    /// Another process took the place of the app: earlier questions are never answered.
    mutating func restart() {
        next = nil
        number += 1
        isStale = true
        actions = ActionForms()
    }

    /// The app has gone before it answered: what is asked now is asked again once it is back.
    mutating func giveUp(_ number: Int) {
        guard number == self.number, next != nil else { return }
        next = nil
        self.number += 1
        isStale = true
    }

    /// The next plan; nil if nothing is new, enough was asked lately, or answers are awaited.
    mutating func plan(at now: Duration) -> Plan? {
        if next == nil {
            let isNew = newest != shown.summary || watchesActivity || shown.isSearching
            let isDue = begun.map { now - $0 >= ConnectionLimits.watch } ?? true
            guard isStale || (isNew && isDue) else { return nil }
            isStale = false
            begun = now
            number += 1
            next = (RemoteLog(newest), [], 0, places)
        }
        guard let next, next.waiting.isEmpty else { return nil }
        return Plan(number: number, log: next.log, places: next.places)
    }

    /// The questions of a plan were found.
    ///
    /// - Returns: The questions to ask; nil if the log is shown now, or was given up.
    mutating func found(_ questions: Set<RemoteQuestion>, for plan: Plan) -> Set<RemoteQuestion>? {
        guard var next, plan.number == number else { return nil }
        if questions.isEmpty || next.rounds >= Self.mostRounds {
            show(next.log)
            return nil
        }
        next.waiting = questions
        next.rounds += 1
        self.next = next
        return questions
    }

    /// An answer came.
    mutating func take(_ answer: RemoteAnswer, to question: RemoteQuestion, number: Int) {
        guard number == self.number, next?.waiting.remove(question) != nil else { return }
        next?.log.take(answer, to: question)
    }

    private mutating func show(_ log: RemoteLog) {
        shown = log
        next = nil
        arrivals += 1
        failure = log.failure
        actions = log.actions ?? actions
        activity = log.activity ?? activity
    }

    private var watchesActivity: Bool { places.contains { $0.watchesActivity(with: pages) } }
}
#endif
