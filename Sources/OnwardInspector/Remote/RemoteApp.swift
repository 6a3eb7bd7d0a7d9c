// SPDX-License-Identifier: MIT
#if Inspector

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
        /// Its current questions, which it answers with its next request.
        var asked: [Order] = []
        var nextID = 1
        /// Ends the wait of the app's request.
        var held: AsyncStream<Void>.Continuation?
        var isWatched = false
        /// How often it came, and when it last came or left.
        var visits = 0
        var lastSeen: Duration
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
        let name = String(greeting.app.prefix(64))
        self.name = name.isEmpty ? "An app" : name
        process = greeting.process
        self.time = time
        state = Guarded(State(lastSeen: time.now()))
    }

    /// Whether it hasn't come for a while.
    var isAway: Bool {
        let now = time.now()
        return state.withValue { $0.isGone || ($0.held == nil && now - $0.lastSeen > Self.silence) }
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
    ///   - completion: Called once, with the answer or the reason why there is none.
    func ask(
        _ request: InspectorRequest, of store: String, _ completion: @escaping Completion
    ) {
        let path = "stores/\(store)/\(request.path)"
        let (isTaken, held) = state.withValue { state in
            guard state.waiting.count < Self.mostWaiting, !state.isGone else {
                state.dropped += 1
                return (false, nil as AsyncStream<Void>.Continuation?)
            }
            state.waiting.append(
                Order(
                    id: state.nextID,
                    request: InspectorRequest(request.method, path, body: request.body),
                    completion: completion))
            state.nextID += 1
            return (true, state.held)
        }
        held?.finish()
        if !isTaken { completion(Self.refusal("Too much waits for the app: ask again later.")) }
    }

    /// Asks a question and waits for the answer, but not forever.
    func answer(_ request: InspectorRequest, of store: String) async -> InspectorReply {
        guard !isAway else { return Self.refusal("\(name) is away. Ask again once it is back.") }
        return await withCheckedContinuation { waiter in
            let once = Guarded<CheckedContinuation<InspectorReply, Never>?>(waiter)
            let finish: Completion = { reply in
                once.withValue { waiter in
                    defer { waiter = nil }
                    return waiter
                }?.resume(returning: reply)
            }
            ask(request, of: store, finish)
            Task {
                try? await time.sleep(ConnectionLimits.patience)
                finish(Self.refusal("\(name) has not answered within 30 seconds."))
            }
        }
    }

    // MARK: Coming and going

    /// Accepts the app's answers, and returns its next questions: at once if there are any,
    /// otherwise as soon as there are, or after a while.
    ///
    /// - Parameters:
    ///   - news: What the app reports.
    ///   - learn: Handles what is new in its stores, once its answers were handled.
    /// - Returns: The questions; nil if another process has taken its place.
    func exchange(_ news: News, _ learn: () -> Void) async -> Orders? {
        guard let asked = arrive() else { return nil }
        let answers = Dictionary(news.answers.map { ($0.id, $0) }) { first, _ in first }
        for order in asked {
            guard let answer = answers[order.id] else {
                order.completion(Self.refusal("The app has not answered."))
                continue
            }
            order.completion(InspectorReply(status: answer.status, bytes: Array(answer.json.utf8)))
        }
        learn()
        await hold()
        return leave()
    }

    /// The app has arrived; returns its current questions.
    private func arrive() -> [Order]? {
        let now = time.now()
        return state.withValue { state in
            guard !state.isGone else { return nil }
            state.visits += 1
            state.lastSeen = now
            defer { state.asked = [] }
            return state.asked
        }
    }

    /// Waits until there are questions, or for as long as an app's request is held.
    private func hold() async {
        let (released, release) = AsyncStream<Void>.makeStream()
        let (isHeld, isWatched, other) = state.withValue { state in
            guard state.waiting.isEmpty, !state.isGone else {
                return (false, false, nil as AsyncStream<Void>.Continuation?)
            }
            defer { state.held = release }
            return (true, state.isWatched, state.held)
        }
        other?.finish()
        guard isHeld else { return }
        let limit = Task {
            try? await time.sleep(isWatched ? ConnectionLimits.watch : ConnectionLimits.rest)
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
            return Orders(requests: orders.map { Orders.Request(id: $0.id, $0.request) })
        }
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
        for order in orders { order.completion(Self.refusal("\(name) has gone.")) }
    }

    private static func refusal(_ sentence: String) -> InspectorReply {
        InspectorInterface.refusal(InspectorError(.refused, sentence))
    }

    private static func randomKey() -> String {
        String(UInt128.random(in: 0...UInt128.max), radix: 36)
    }
}
#endif
