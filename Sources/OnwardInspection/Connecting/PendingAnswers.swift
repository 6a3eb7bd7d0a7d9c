// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal

/// The questions that an app is answering: each in a task that can be cancelled, and its answer
/// until that is sent.
final class PendingAnswers: Sendable {
    private struct State {
        var tasks: [Int: Task<Void, Never>] = [:]
        var answers: [News.Answer] = []
        /// Notified when the last answer is there.
        var settled: AsyncStream<Void>.Continuation?
    }

    private let interface: InspectorInterface
    private let state = Guarded(State())

    init(_ interface: InspectorInterface) { self.interface = interface }

    deinit {
        for task in state.withValue({ $0.tasks.values }) { task.cancel() }
    }

    /// The ids of the questions without an answer.
    var pending: [Int] { state.withValue { $0.tasks.keys.sorted() } }

    /// Begins to answer a question.
    func begin(_ order: Orders.Request) {
        let (id, request, interface) = (order.id, order.request, interface)
        // What answers quickly must not end before it is noted.
        let (noted, note) = AsyncStream<Void>.makeStream()
        let task = Task { [weak self] in
            for await _ in noted {}
            let reply = await interface.answerHere(request)
            self?.end(id, Self.answer(id, reply))
        }
        let old = state.withValue { $0.tasks.updateValue(task, forKey: id) }
        old?.cancel()
        note.finish()
    }

    private func end(_ id: Int, _ answer: News.Answer) {
        let settled = state.withValue { state in
            if state.tasks.removeValue(forKey: id) != nil { state.answers.append(answer) }
            return state.tasks.isEmpty ? state.settled : nil
        }
        settled?.finish()
    }

    /// Stops answering questions.
    func cancel(_ ids: [Int]) {
        let tasks = state.withValue { state in
            ids.compactMap { state.tasks.removeValue(forKey: $0) }
        }
        for task in tasks { task.cancel() }
    }

    /// Waits until every question is answered, but not longer than some time on a clock.
    func settle(within limit: Duration, on clock: any Clock<Duration>) async {
        let (settled, settle) = AsyncStream<Void>.makeStream()
        let isBusy = state.withValue { state in
            state.settled = settle
            return !state.tasks.isEmpty
        }
        guard isBusy else { return }
        let timer = Task {
            try? await clock.sleep(for: limit, tolerance: nil)
            settle.finish()
        }
        for await _ in settled {}
        timer.cancel()
        await timer.value
    }

    /// Hands over the answers that fit into a message, the oldest first.
    func take() -> [News.Answer] {
        state.withValue { state in
            var room = ConnectionLimits.message.bytes / 2
            let answers = state.answers.prefix { answer in
                room -= answer.json.utf8.count
                return room >= 0
            }
            state.answers.removeFirst(answers.count)
            return Array(answers)
        }
    }

    /// An answer; one that is too large is replaced by an error.
    private static func answer(_ id: Int, _ reply: InspectorReply) -> News.Answer {
        var reply = reply
        if reply.bytes.count > ConnectionLimits.answerBytes {
            reply = InspectorInterface.refusal(
                InspectorError(
                    .refused,
                    """
                    The answer has \(reply.bytes.count) bytes, more than the \(ConnectionLimits.answerBytes) that are \
                    sent. Ask for a part of the state, or for fewer entries.
                    """))
        }
        return News.Answer(
            id: id, status: reply.status, json: String(decoding: reply.bytes, as: UTF8.self))
    }
}
