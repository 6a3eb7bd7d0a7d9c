// SPDX-License-Identifier: MIT
#if Server

internal import Onward
internal import OnwardInspection
internal import OnwardJournal

/// An app that has connected: the questions for it, and when it last came.
///
/// The app fetches its questions, and brings the answers with its next request. While there are
/// none, its request is held, only briefly if someone watches, so that news is seen soon.
final class RemoteApp: Sendable {
    typealias Completion = @Sendable (InspectorReply) -> Void

    private struct Order {
        let id: Int
        let request: InspectorRequest
        let completion: Completion
    }

    private struct State {
        /// The questions for its next request; at most ``mostWaiting``.
        var waiting: [Order] = []
        /// The questions that it has been handed and not answered yet.
        var asked: [Order] = []
        /// Which of them nobody waits for any more, until it is told.
        var cancelled: [Int] = []
        var nextID = 1
        /// Ends the wait of the app's request.
        var held: AsyncStream<Void>.Continuation?
        var isWatched = false
        /// How often it came, and when it last came or left.
        var visits = 0
        var lastSeen: Duration
        /// Whether its connection closed while its request was held.
        var isCutOff = false
        /// Whether another process has taken its place.
        var isGone = false
        /// How many requests were dropped because too many were waiting.
        var dropped = 0
    }

    /// The maximum number of requests that wait for the app.
    static let mostWaiting = 64
    /// How long an app whose request isn't held may be silent before it counts as away.
    static let silence = Duration.seconds(3)

    let name: String
    let process: Int
    /// The part of the path that only the app knows.
    let key = RemoteApp.randomKey()
    private let time: ElapsedTime
    private let state: Guarded<State>

    init(_ greeting: Greeting, _ time: ElapsedTime) {
        let name = String(greeting.app.prefix(64)).visible
        self.name = name.isEmpty ? "An app" : name
        process = greeting.process
        self.time = time
        state = Guarded(State(lastSeen: time.now()))
    }

    /// Whether it hasn't come for a while.
    var isAway: Bool {
        let now = time.now()
        return state.withValue { state in
            state.isGone || state.isCutOff
                || (state.held == nil && now - state.lastSeen > Self.silence)
        }
    }

    /// The one sentence about an app that is away.
    var absence: String {
        "\(name) is away. This is what it sent last; it goes on once the app is back."
    }

    /// What is wrong with it, for people to read.
    var complaint: String? {
        let dropped = state.withValue { $0.dropped }
        return dropped == 0
            ? nil : "\(name) answers slowly: \(dropped) questions were dropped so far."
    }

    /// How long ago it last came or left.
    var silence: Duration { time.now() - state.withValue { $0.lastSeen } }

    // MARK: Asking

    /// Queues a question for one of its stores.
    ///
    /// - Parameters:
    ///   - request: Its path begins after the name of the store.
    ///   - store: The name that the store has in the app.
    ///   - completion: Called once, with the answer or the reason why there is none; its status is
    ///     503 if the app is away.
    /// - Returns: The id of the question, for ``withdraw(_:)``; nil if it was refused.
    @discardableResult
    func ask(
        _ request: InspectorRequest, of store: String, _ completion: @escaping Completion
    ) -> Int? {
        let path = "stores/\(store)/\(request.path)"
        let (id, held) = state.withValue { state -> (Int?, AsyncStream<Void>.Continuation?) in
            guard state.waiting.count + state.asked.count < Self.mostWaiting, !state.isGone else {
                state.dropped += 1
                return (nil, nil)
            }
            let id = state.nextID
            state.nextID += 1
            state.waiting.append(
                Order(
                    id: id, request: InspectorRequest(request.method, path, body: request.body),
                    completion: completion))
            return (id, state.held)
        }
        held?.finish()
        if id == nil { completion(Self.refusal("Too much waits for the app: ask again later.")) }
        return id
    }

    /// Nobody waits for the answer to a question any more.
    func withdraw(_ id: Int) {
        let (order, held) = state.withValue { state -> (Order?, AsyncStream<Void>.Continuation?) in
            if let index = state.waiting.firstIndex(where: { $0.id == id }) {
                return (state.waiting.remove(at: index), nil)
            }
            guard let index = state.asked.firstIndex(where: { $0.id == id }) else {
                return (nil, nil)
            }
            state.cancelled.append(id)
            return (state.asked.remove(at: index), state.held)
        }
        held?.finish()
        order?.completion(Self.refusal("The question was withdrawn."))
    }

    /// Asks a question and waits for the answer, as long as the app is there and the calling task
    /// isn't cancelled.
    func answer(_ request: InspectorRequest, of store: String) async -> InspectorReply {
        guard !isAway else { return awayReply }
        let waiting = WaitingReply()
        let watch = Task {
            for _ in 0..<Self.patience {
                guard (try? await time.sleep(.seconds(1))) != nil else { return }
                giveUpIfAway()
            }
            waiting.cancel().map { withdraw($0) }
        }
        defer { watch.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                waiting.begin(waiter)
                let id = ask(request, of: store) { waiting.finish($0) }
                waiting.note(id).map { withdraw($0) }
            }
        } onCancel: {
            waiting.cancel().map { withdraw($0) }
        }
    }

    /// For how many seconds an answer is awaited from an app that is there: longer than a job takes.
    private static let patience = 60

    // MARK: Coming and going

    /// Accepts the app's answers, and returns its next questions: at once if there are any,
    /// otherwise as soon as there are, or after a while.
    ///
    /// - Parameters:
    ///   - news: What the app reports.
    ///   - learn: Handles what is new in its stores, once its answers were handled.
    /// - Returns: The questions; nil if another process has taken its place.
    func exchange(_ news: News, _ learn: () -> Void) async -> Orders? {
        guard let asked = arrive(pending: Set(news.pending)) else { return nil }
        let answers = Dictionary(news.answers.map { ($0.id, $0) }) { first, _ in first }
        for order in asked {
            guard let answer = answers[order.id] else {
                order.completion(Self.refusal("The app has not answered this question."))
                continue
            }
            order.completion(InspectorReply(status: answer.status, bytes: Array(answer.json.utf8)))
        }
        learn()
        await hold()
        if Task.isCancelled { return cutOff() }
        return leave()
    }

    /// The app has arrived; returns the questions that it no longer works on.
    private func arrive(pending: Set<Int>) -> [Order]? {
        let now = time.now()
        return state.withValue { state in
            guard !state.isGone else { return nil }
            state.visits += 1
            state.lastSeen = now
            state.isCutOff = false
            let asked = state.asked
            state.asked = asked.filter { pending.contains($0.id) }
            return asked.filter { !pending.contains($0.id) }
        }
    }

    /// Waits until there are questions, or for as long as an app's request is held.
    private func hold() async {
        let (released, release) = AsyncStream<Void>.makeStream()
        let (isHeld, isBusy, other) = state.withValue { state in
            guard state.waiting.isEmpty, state.cancelled.isEmpty, !state.isGone else {
                return (false, false, nil as AsyncStream<Void>.Continuation?)
            }
            defer { state.held = release }
            return (true, state.isWatched || !state.asked.isEmpty, state.held)
        }
        other?.finish()
        guard isHeld else { return }
        let limit = Task {
            try? await time.sleep(isBusy ? ConnectionLimits.watch : ConnectionLimits.rest)
            release.finish()
        }
        for await _ in released {}
        limit.cancel()
    }

    /// The app leaves with its questions.
    private func leave() -> Orders? {
        let now = time.now()
        return state.withValue { state in
            guard !state.isGone else { return nil }
            state.held = nil
            state.lastSeen = now
            state.asked += state.waiting.prefix(ConnectionLimits.requests)
            let orders = state.waiting.prefix(ConnectionLimits.requests)
            state.waiting.removeFirst(orders.count)
            defer { state.cancelled = [] }
            return Orders(
                requests: orders.map { Orders.Request(id: $0.id, $0.request) },
                cancelled: state.cancelled)
        }
    }

    /// The app's connection has closed while its request was held.
    private func cutOff() -> Orders? {
        let now = time.now()
        let orders = state.withValue { state in
            (state.held, state.lastSeen, state.isCutOff) = (nil, now, true)
            defer { (state.waiting, state.asked, state.cancelled) = ([], [], []) }
            return state.asked + state.waiting
        }
        for order in orders { order.completion(awayReply) }
        return nil
    }

    /// Gives up its questions if it has been away for a while; they are asked again once it is
    /// back.
    func giveUpIfAway() {
        guard isAway else { return }
        let orders = state.withValue { state in
            defer { (state.waiting, state.asked, state.cancelled) = ([], [], []) }
            return state.asked + state.waiting
        }
        for order in orders { order.completion(awayReply) }
    }

    /// Notes that someone watches, or that nobody does any more.
    func setWatched(_ isWatched: Bool) {
        let held = state.withValue { state in
            defer { state.isWatched = isWatched }
            return isWatched && !state.isWatched ? state.held : nil
        }
        held?.finish()
    }

    /// Whether the app comes again soon, though it was just there; a dead one doesn't.
    func isThere(within limit: Duration) async -> Bool {
        let (visits, held) = state.withValue { ($0.visits, $0.held) }
        held?.finish()
        try? await time.sleep(limit)
        return state.withValue { !$0.isGone && $0.visits != visits }
    }

    /// Another process has taken its place, or it was dropped: nobody waits for it any more.
    func goAway() {
        let (orders, held) = state.withValue { state in
            state.isGone = true
            defer { (state.waiting, state.asked, state.held) = ([], [], nil) }
            return (state.asked + state.waiting, state.held)
        }
        held?.finish()
        for order in orders { order.completion(awayReply) }
    }

    /// The answer while the app is away.
    var awayReply: InspectorReply {
        InspectorReply(status: Self.away, bytes: Self.refusal(absence).bytes)
    }

    /// The status of such an answer.
    static let away = 503

    private static func refusal(_ sentence: String) -> InspectorReply {
        InspectorInterface.refusal(InspectorError(.refused, sentence))
    }

    private static func randomKey() -> String {
        String(UInt128.random(in: 0...UInt128.max), radix: 36)
    }
}

/// Waits for one reply, which may be withdrawn.
private final class WaitingReply: Sendable {
    private struct State {
        var waiter: CheckedContinuation<InspectorReply, Never>?
        var id: Int?
        var isCancelled = false
    }

    private let state = Guarded(State())

    func begin(_ waiter: CheckedContinuation<InspectorReply, Never>) {
        state.withValue { $0.waiter = waiter }
    }

    /// Notes the id of the question; returns it if it is to be withdrawn already.
    func note(_ id: Int?) -> Int? {
        state.withValue { state in
            state.id = id
            return state.isCancelled ? id : nil
        }
    }

    /// Returns the id of the question to withdraw, if it is known.
    func cancel() -> Int? {
        state.withValue { state in
            state.isCancelled = true
            return state.id
        }
    }

    func finish(_ reply: InspectorReply) {
        state.withValue { state in
            defer { state.waiter = nil }
            return state.waiter
        }?.resume(returning: reply)
    }
}
#endif
