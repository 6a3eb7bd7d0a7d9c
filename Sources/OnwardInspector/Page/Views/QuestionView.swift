// SPDX-License-Identifier: MIT
#if Server

internal import OnwardInspection

/// A confirmation before entries are lost for good.
struct QuestionView: Equatable, Sendable {
    let store: String
    let title: String
    let loss: String
    let command: String
    let answer: String
    /// Where the page continues, whatever the answer is.
    let back: String
    /// The URL of the log as a file.
    let file: String

    init(_ question: Place.Question, _ view: InspectorView, _ seen: InspectorState.Seen) {
        store = seen.name
        title = question.sentence
        loss = Self.loss(question.loss(in: seen.summary))
        command = question.rawValue
        answer = question.noun
        back = view.place.url
        file = FileView.url(of: seen.name, at: view.place)
    }

    private static func loss(_ count: Int) -> String {
        switch count {
        case 0: "No entry is lost."
        case 1: "1 entry is lost, and can’t be had back."
        default: "\(count) entries are lost, and can’t be had back."
        }
    }
}

extension Place.Question {
    /// How many entries the command removes from the log.
    func loss(in summary: LogSummary) -> Int { self == .sweep ? summary.skipped : summary.count }

    /// The label of the button.
    var noun: String {
        switch self {
        case .pause: "Pause"
        case .commit: "Commit"
        case .revert: "Revert"
        case .reset: "Reset"
        case .sweep: "Sweep"
        }
    }

    fileprivate var sentence: String {
        switch self {
        case .pause: "Pause recording?"
        case .commit: "Make this moment the base?"
        case .revert: "Go back to the base?"
        case .reset: "Go back to where the store began?"
        case .sweep: "Drop the skipped entries?"
        }
    }
}
#endif
