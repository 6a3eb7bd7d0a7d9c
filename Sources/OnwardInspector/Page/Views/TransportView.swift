// SPDX-License-Identifier: MIT
#if Server

internal import OnwardInspection

/// The slider and the buttons that control a store.
struct TransportView: Equatable, Sendable {
    /// A command that empties the log.
    struct Ending: Equatable, Sendable {
        let name: String
        let command: String
        let hint: String
        /// The link to its confirmation; nil if no entry would be lost.
        let url: String?
    }

    let store: String
    let cursor: Int
    let count: Int
    let isAtEnd: Bool
    let isAtStart: Bool
    let isLocked: Bool
    let isPaused: Bool
    let isEmpty: Bool
    let isPlaying: Bool
    let skipped: Int
    let memory: String
    let problem: String?
    let word: String
    /// What arrived while the past is shown; nil for nothing.
    let news: String?
    let pause: Ending
    let sweep: Ending?
    let endings: [Ending]

    init(_ view: InspectorView, _ seen: InspectorState.Seen) {
        let summary = seen.summary
        store = seen.name
        cursor = summary.cursor
        count = summary.count
        isAtEnd = summary.isAtEnd
        isAtStart = summary.cursor == 0
        isLocked = summary.isLocked
        isPaused = summary.isPaused
        isEmpty = summary.count == 0
        isPlaying = view.state.playback?.store == seen.name
        skipped = summary.skipped
        memory = Words.bytes(summary.keptBytes)
        problem = ((view.place.pane == .dispatch ? nil : seen.problem) ?? seen.notice)?.visible
        word = isPlaying ? "playing" : Self.word(for: summary)
        news =
            seen.waiting == 0
            ? nil : seen.waiting == 1 ? "1 new entry" : "\(seen.waiting) new entries"
        func ending(_ question: Place.Question, _ hint: String) -> Ending {
            let isAsked = question.loss(in: summary) > 0
            return Ending(
                name: question.noun, command: question.rawValue, hint: hint,
                url: isAsked ? view.place.with { $0.question = question }.url : nil)
        }
        pause = ending(.pause, "Record no more, and empty the log; the app goes on")
        sweep = summary.skipped > 0 ? ending(.sweep, "Drop the skipped entries") : nil
        endings = [
            ending(.commit, "Make this moment the base, and empty the log"),
            ending(.revert, "Go back to the base, and empty the log"),
            ending(.reset, "Go back to where the store began, and empty the log"),
        ]
    }

    private static func word(for summary: LogSummary) -> String {
        if summary.isLocked { return "locked" }
        if summary.isPaused { return "not recording" }
        return summary.isAtEnd ? "live" : "in the past"
    }
}
#endif
