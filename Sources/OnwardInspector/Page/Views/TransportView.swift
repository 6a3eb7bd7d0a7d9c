// SPDX-License-Identifier: MIT
#if Inspector

internal import OnwardInspection

/// The slider and the buttons that steer a store.
struct TransportView: Equatable, Sendable {
    let store: String
    let cursor: Int
    let count: Int
    let isAtEnd: Bool
    let isAtStart: Bool
    let isLocked: Bool
    let isPaused: Bool
    let isEmpty: Bool
    let isPlaying: Bool
    let hasSkipped: Bool
    let skipped: Int
    let memory: String
    let problem: String?
    let word: String

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
        hasSkipped = summary.skipped > 0
        skipped = summary.skipped
        memory = Words.bytes(summary.keptBytes)
        problem = (view.place.pane == .dispatch ? nil : seen.problem) ?? seen.notice
        word = isPlaying ? "playing" : Self.word(for: summary)
    }

    private static func word(for summary: LogSummary) -> String {
        if summary.isLocked { return "locked" }
        if summary.isPaused { return "not recording" }
        return summary.isAtEnd ? "live" : "in the past"
    }
}
#endif
