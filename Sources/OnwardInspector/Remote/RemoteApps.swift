// SPDX-License-Identifier: MIT
#if Server

internal import Onward
internal import OnwardInspection
internal import OnwardJournal
internal import OnwardServer

/// The connected apps, with their stores among those of the inspector.
final class RemoteApps: Sendable {
    /// The maximum number of apps at a time.
    static let limit = 32
    /// How long an app may take to prove that it still exists when another process uses its name.
    private static let proof = Duration.seconds(1)

    private struct Member {
        let app: RemoteApp
        /// Its stores, by their names in the app.
        var stores: [String: RemoteStore] = [:]
    }

    private struct State {
        var members: [String: Member] = [:]
        var places: [Place] = []
        var news: AsyncStream<Void>.Continuation?
    }

    private let list: StoreList
    private let time: ElapsedTime
    private let state = Guarded(State())

    init(_ list: StoreList, clock: any Clock<Duration> = ContinuousClock()) {
        self.list = list
        time = ElapsedTime(clock)
    }

    /// The endpoint to which apps connect.
    var endpoint: Endpoint {
        Endpoint(
            "/apps/v\(ConnectionLimits.version)/", bodyLimit: ConnectionLimits.message.bytes
        ) { request in
            guard request.method == .post else {
                return Endpoint.Answer(
                    Self.refusal(.missing, "Apps post here: see InspectorConnection."))
            }
            return Endpoint.Answer(await self.answer(request.path, request.body))
        }
    }

    /// Answers an app's post.
    func answer(_ path: String, _ body: [UInt8]) async -> InspectorReply {
        do {
            let message = try DataFormat.json.value(of: body, limits: ConnectionLimits.message)
            let parts = path.split(separator: "/", omittingEmptySubsequences: false)
            switch (parts.first, parts.count) {
            case ("connect", 1):
                return try Self.reply(Welcome(key: try await connect(try message.decoded())))
            case ("exchange", 2):
                return try Self.reply(
                    try await exchange(try message.decoded(), of: String(parts[1])))
            default: return Self.refusal(.missing, "There is nothing at this address.")
            }
        } catch let error as InspectorError {
            return InspectorInterface.refusal(error)
        } catch {
            return Self.refusal(.invalid, "The message can't be read: \(error)")
        }
    }

    // MARK: Apps

    /// An app arrives, possibly in place of one that has gone.
    private func connect(_ greeting: Greeting) async throws(InspectorError) -> String {
        let app = RemoteApp(greeting, time)
        let predecessor = await predecessor(of: app)
        let gone: [RemoteApp] = try admit(app, after: predecessor)
        for app in gone { app.goAway() }
        return app.key
    }

    /// The app that another one replaces: the same process, or one of the same name that has gone.
    private func predecessor(of app: RemoteApp) async -> RemoteApp? {
        let namesakes = state.withValue { state in
            state.members.values.map(\.app).filter { $0.name == app.name }
        }
        if let same = namesakes.first(where: { $0.process == app.process }) { return same }
        for other in namesakes where await !other.isThere(within: Self.proof) { return other }
        return nil
    }

    /// Admits an app.
    ///
    /// - Returns: Those that have to make room for it.
    private func admit(
        _ app: RemoteApp, after predecessor: RemoteApp?
    ) throws(InspectorError) -> [RemoteApp] {
        let others = state.withValue { $0.members.values.map(\.app) }
        var gone = [predecessor].compactMap { $0 }
        if gone.isEmpty, others.count >= Self.limit {
            // The one that has been away longest makes room.
            guard let lost = others.filter(\.isAway).max(by: { $0.silence < $1.silence }) else {
                throw InspectorError(
                    .refused,
                    "\(Self.limit) apps are connected, which is as many as an inspector shows.")
            }
            gone = [lost]
        }
        let (moved, dropped) = state.withValue { state in
            let old = gone.compactMap { state.members.removeValue(forKey: $0.key) }
            let isSuccessor = predecessor != nil
            let stores = isSuccessor ? old.first?.stores ?? [:] : [:]
            state.members[app.key] = Member(app: app, stores: stores)
            return (stores.values, isSuccessor ? [] : old.flatMap { $0.stores.values })
        }
        for store in moved { store.move(to: app) }
        for (name, store) in list.all where dropped.contains(where: { $0 === store as AnyObject }) {
            list.remove(name)
        }
        app.setWatched(state.withValue { !$0.places.isEmpty })
        return gone
    }

    /// An app reports what is new, and receives its questions.
    private func exchange(_ news: News, of key: String) async throws -> Orders {
        guard let app = state.withValue({ $0.members[key]?.app }) else {
            throw InspectorError(.missing, "The inspector doesn't know the app: connect again.")
        }
        guard news.stores.count <= ConnectionLimits.stores else {
            throw InspectorError(
                .invalid,
                """
                \(app.name) has \(news.stores.count) stores; \(ConnectionLimits.stores) are shown at most. Attach the \
                stores of whole apps, not of their parts.
                """)
        }
        let orders = await app.exchange(news) { learn(news.stores, of: app) }
        guard let orders else {
            throw InspectorError(.missing, "Another process has taken the app's place.")
        }
        return orders
    }

    private func learn(_ news: [News.Store], of app: RemoteApp) {
        var known = state.withValue { $0.members[app.key]?.stores ?? [:] }
        let names = Set(news.map(\.name))
        for (name, store) in known where !names.contains(name) { store.end() }
        for item in news {
            if let store = known[item.name] {
                store.learn(item)
                continue
            }
            let store = RemoteStore(item.name, of: app, time, pages: list.pages) { [weak self] in
                self?.signal()
            }
            known[item.name] = store
            state.withValue { $0.members[app.key]?.stores[item.name] = store }
            store.isListed(as: list.add(store, as: item.name))
            store.watch(places(of: store))
            store.learn(item)
            signal()
        }
    }

    // MARK: Watching

    /// Notes that other places are open in tabs.
    func watch(_ places: Set<Place>) {
        let apps = state.withValue { state in
            state.places = Array(places)
            return state.members.values.map { ($0.app, Array($0.stores.values)) }
        }
        for (app, stores) in apps {
            app.setWatched(!places.isEmpty)
            for store in stores { store.watch(self.places(of: store)) }
        }
    }

    /// The open places that show a store.
    private func places(of store: RemoteStore) -> Set<Place> {
        let all = list.all
        let name = all.first { $0.store as AnyObject === store }?.name
        let isFirst = name != nil && name == all.first?.name
        let places = state.withValue { $0.places }
        return Set(places.filter { $0.store == name || ($0.store == nil && isFirst) })
    }

    /// Signals that something else is to be shown, from now on; only the last caller is notified.
    func news() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let old = state.withValue { state in
            defer { state.news = continuation }
            return state.news
        }
        old?.finish()
        return stream
    }

    private func signal() { state.withValue { $0.news }?.yield() }

    // MARK: Answering

    private static func reply(_ answer: some Encodable) throws -> InspectorReply {
        InspectorReply(bytes: DataFormat.json.bytes(of: try DataValue(encoding: answer)))
    }

    private static func refusal(
        _ code: InspectorError.Code, _ sentence: String
    ) -> InspectorReply {
        InspectorInterface.refusal(InspectorError(code, sentence))
    }
}

extension Endpoint.Answer {
    /// Creates the answer of the interface.
    init(_ reply: InspectorReply) {
        self.init(
            status: reply.status, contentType: "application/json", bytes: reply.bytes,
            fileName: reply.fileName)
    }
}
#endif
