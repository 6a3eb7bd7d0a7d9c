// SPDX-License-Identifier: MIT
#if Inspector

internal import OnwardInspection

/// What of a distant store is shown: a machine that learns what comes, and says what to ask.
///
/// Pages show a log that is whole: one moment of the store, with the answers to all that the open tabs ask of it. While the
/// next one is gathered the last one stays. Each round of answers may lead to further questions, as which part of the state is
/// asked depends on the entry; after a few rounds what is there is shown.
struct RemoteMirror {
    /// How many rounds of questions a log may take.
    private static let mostRounds = 6

    /// What pages show.
    private(set) var shown = RemoteLog(LogSummary())
    private(set) var actions: (forms: [ActionForm], names: [String]) = ([], [])
    private(set) var activity = StoreActivity()
    /// Why something isn't shown.
    private(set) var failure: String?
    /// Grows with each log that is shown.
    private(set) var arrivals = 0
    /// Where the open tabs are that show the store.
    private var places: Set<Place> = []
    private(set) var newest = LogSummary()
    /// The log that is gathered, what it waits for, and how often it has asked.
    private var next:
        (log: RemoteLog, waiting: Set<RemoteQuestion>, rounds: Int, places: Set<Place>)?
    /// Whether what is shown has no answers for where the tabs are, or is of an app that has gone.
    private var isStale = false
    /// When the last log was begun to be gathered.
    private var begun: Duration?
    /// Distinguishes answers to earlier questions from those to these.
    private(set) var number = 0

    /// A log whose questions are to be found.
    struct Plan {
        let number: Int
        let log: RemoteLog
        let places: Set<Place>
    }

    /// The app says how long the log is.
    mutating func learn(_ summary: LogSummary) { newest = summary.contained }

    /// Somebody has done something: what comes of it is shown at once.
    mutating func hasten() { isStale = true }

    /// Other tabs are open.
    mutating func watch(_ places: Set<Place>) {
        guard places != self.places else { return }
        self.places = places
        isStale = true
    }

    /// Another process took the place of the app: what was asked is never answered.
    mutating func restart() {
        next = nil
        number += 1
        isStale = true
        actions = ([], [])
    }

    /// What to plan next; nil where nothing is new or enough was asked of late, or where answers are still awaited.
    mutating func plan(at now: Duration) -> Plan? {
        if next == nil {
            let isNew = newest != shown.summary || watchesActivity
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
    /// - Returns: Those to ask; nil where the log is shown now, or was given up.
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

    private var watchesActivity: Bool { places.contains { $0.pane.watchesActivity } }
}
#endif
