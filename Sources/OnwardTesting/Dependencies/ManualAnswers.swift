// SPDX-License-Identifier: MIT

/// A server in a test, which answers a question when the test says so.
///
/// ```swift
/// let server = ManualAnswers<Notes, Page, APIError>(cancelled: .cancelled)
/// let store = TestStore(App()) {
///     Fetch(\.pages, while: \.wanted) { notes, _ async throws(APIError) in
///         try await server.answer(to: notes)
///     }
/// }
/// #expect(server.questions == [Notes(page: 1)])
/// server.give(.success(page), to: Notes(page: 1))
/// ```
///
/// Nothing sleeps: in a `TestStore`, whatever an action starts has asked when `dispatch` returns.
public final class ManualAnswers<Question: Equatable & Sendable, Answer: Sendable, Failure: Error>:
    Sendable
{
    private struct Open {
        let id: UInt64
        let question: Question
        let continuation: CheckedContinuation<Result<Answer, Failure>, Never>
    }

    private struct State {
        var open: [Open] = []
        var asked: [Question] = []
        var cancelled: Set<UInt64> = []
        var lastID: UInt64 = 0
    }

    private let state = Awaited(State())
    private let cancelled: Failure

    /// Creates a server that nobody has asked.
    ///
    /// - Parameter failure: What a question fails with whose task is cancelled.
    public init(cancelled failure: Failure) { cancelled = failure }

    /// The questions that wait for an answer, the oldest first.
    public var questions: [Question] { state.withValue { $0.open.map(\.question) } }

    /// All questions so far, those that were answered or cancelled included.
    public var asked: [Question] { state.withValue { $0.asked } }

    /// Asks, and waits until the test answers.
    ///
    /// - Throws: The failure that the test gives, or that of a cancelled task.
    public func answer(to question: Question) async throws(Failure) -> Answer {
        let id = state.withValue { state in
            state.lastID += 1
            state.asked.append(question)
            return state.lastID
        }
        let failure = cancelled
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withValue { state in
                    if state.cancelled.remove(id) != nil { return true }
                    state.open.append(
                        Open(id: id, question: question, continuation: continuation))
                    return false
                }
                if isCancelled { continuation.resume(returning: .failure(failure)) }
            }
        } onCancel: {
            let open = state.withValue { state -> Open? in
                guard let index = state.open.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return nil
                }
                return state.open.remove(at: index)
            }
            open?.continuation.resume(returning: .failure(failure))
        }
        state.withValue { _ = $0.cancelled.remove(id) }
        return try result.get()
    }

    /// Answers the oldest question that equals the given one and waits.
    ///
    /// - Returns: Whether there is such a question; without one nothing happens.
    @discardableResult
    public func give(_ answer: Result<Answer, Failure>, to question: Question) -> Bool {
        let open = state.withValue { state -> Open? in
            let index = state.open.firstIndex { $0.question == question }
            return index.map { state.open.remove(at: $0) }
        }
        open?.continuation.resume(returning: answer)
        return open != nil
    }

    /// Waits until somebody asks a question.
    ///
    /// - Returns: Whether that came in the time.
    public func isAsked(_ question: Question, within limit: Duration = .seconds(10)) async -> Bool {
        await state.wait(atMost: limit) { $0.open.contains { $0.question == question } }
            == .fulfilled
    }
}
