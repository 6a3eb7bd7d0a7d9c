// SPDX-License-Identifier: MIT
#if Server

internal import OnwardInspection
internal import OnwardJournal
internal import OnwardNavigation

/// A question to a remote store, of any type: its address is what is sent, and the answer is read as
/// the type says.
///
/// Entries are named by their ids, which stay with them.
struct RemoteQuestion: Sendable, Hashable {
    let question: any LogQuestion

    init(_ question: some LogQuestion) { self.question = question }

    static func == (left: RemoteQuestion, right: RemoteQuestion) -> Bool {
        AnyHashable(left.question) == AnyHashable(right.question)
    }

    func hash(into hasher: inout Hasher) { question.hash(into: &hasher) }

    /// The request to the interface for programs, after the name of the store.
    var request: InspectorRequest {
        InspectorRequest(.get, String(question.location.description.dropFirst()))
    }
}

/// The answer to a question, within bounds.
enum RemoteAnswer: Sendable {
    case known(any LogAnswer)
    /// There is no such entry or part of the state.
    case none
    /// The app can't answer, or has answered something else.
    case failed(reason: String)

    /// Reads an answer; one that can't be read, or is too large, becomes a failure.
    init(_ reply: InspectorReply, to question: some LogQuestion) {
        do {
            let value = try DataFormat.json.value(of: reply.bytes, limits: Self.limits)
            switch reply.status {
            case 200: self = .known(try Self.read(value, of: question).bounded)
            case 404 where !(question is any SearchQuestion): self = .none
            default:
                let reason = value["message"]?.text ?? "The app refuses (status \(reply.status))."
                self = .failed(reason: String(reason.prefix(1_000)))
            }
        } catch {
            self = .failed(reason: "The app's answer can't be read: \(error)")
        }
    }

    private static func read<Question: LogQuestion>(
        _ value: DataValue, of question: Question
    ) throws -> Question.Answer { try Question.Answer(written: value) }

    /// The limits for reading one answer.
    static let limits = DataLimits(
        bytes: ConnectionLimits.answerBytes, depth: 64, elements: 500_000)
}
#endif
