// SPDX-License-Identifier: MIT
#if Server

internal import Onward
internal import OnwardInspection
internal import OnwardJournal

/// A store of an app that has connected: queries to it are sent to the app.
final class RemoteStore: DistantStore {
    private struct State {
        var mirror = RemoteMirror()
        var app: RemoteApp
        var isEnded = false
        var refusal: String?
        /// The pages that the app has for it.
        var pages: [InspectorPage] = []
    }

    /// The store's name in the app.
    let name: String
    /// The store's name in the inspector.
    private let listed: Guarded<String>
    private let state: Guarded<State>
    private let time: ElapsedTime
    /// The pages that each store has in the inspector.
    private let common: [InspectorPage]
    private let onNews: @Sendable () -> Void

    init(
        _ name: String, of app: RemoteApp, _ time: ElapsedTime, pages common: [InspectorPage] = [],
        onNews: @escaping @Sendable () -> Void
    ) {
        self.name = name
        self.time = time
        self.common = common
        self.onNews = onNews
        listed = Guarded(name)
        state = Guarded(State(app: app))
    }

    var log: any InspectedLog { state.withValue { $0.mirror.shown } }
    var newest: LogSummary { state.withValue { $0.mirror.newest } }
    var summary: LogSummary { state.withValue { $0.mirror.shown.summary } }
    var actionNames: [String] { state.withValue { $0.mirror.actions.names } }
    var actionForms: [ActionForm] { state.withValue { $0.mirror.actions.actions } }
    var activity: StoreActivity { state.withValue { $0.mirror.activity } }
    var pages: [InspectorPage] { state.withValue { $0.pages } }
    var arrivals: Int { state.withValue { $0.mirror.arrivals } }
    var isEnded: Bool { state.withValue { $0.isEnded } }
    var app: String? { state.withValue { $0.app }.name }

    var notice: String? {
        let (app, refusal, failure) = state.withValue { ($0.app, $0.refusal, $0.mirror.failure) }
        if app.isAway { return app.absence }
        return refusal ?? failure ?? app.complaint
    }

    // MARK: News

    /// Sets the name under which the inspector lists it.
    func isListed(as name: String) { listed.withValue { $0 = name } }

    /// Continues with another process of the app.
    func move(to app: RemoteApp) {
        let gone = state.withValue { state in
            state.mirror.restart()
            state.refusal = nil
            defer { state.app = app }
            return state.app
        }
        withExtendedLifetime(gone) {}
    }

    /// The app no longer has it.
    func end() { state.withValue { $0.isEnded = true } }

    /// The app reports its state.
    func learn(_ news: News.Store) {
        let pages = (news.pages ?? []).prefix(InspectorPage.mostPages).map { summary in
            InspectorPage(summary) { question, context in
                guard let log = context.log as? RemoteLog else { return [] }
                return try log.page(summary.name, question, entry: context.entry)
            }
        }
        // What is replaced is released outside the lock.
        let old = state.withValue { state in
            state.mirror.learn(news.log)
            state.isEnded = news.isEnded
            let old = (state.pages, state.mirror.pages)
            state.pages = pages
            state.mirror.pages = (common + pages).different
            return old
        }
        withExtendedLifetime(old) {}
        goOn()
    }

    /// Other tabs are open.
    func watch(_ places: Set<Place>) {
        state.withValue { $0.mirror.watch(places) }
        goOn()
    }

    private func plan() -> RemoteMirror.Plan? {
        let now = time.now()
        return state.withValue { $0.mirror.plan(at: now) }
    }

    /// Finds the tabs' queries, and asks the app those without an answer.
    private func goOn() {
        while let plan = plan() {
            let questions = self.questions(of: plan)
            let (asked, app) = state.withValue { state in
                (state.mirror.found(questions, for: plan), state.app)
            }
            guard let asked else {
                onNews()
                continue
            }
            for question in asked {
                app.ask(question.request, of: name) { [weak self] reply in
                    self?.take(reply, to: question, plan.number)
                }
            }
            return
        }
    }

    private func take(_ reply: InspectorReply, to question: RemoteQuestion, _ number: Int) {
        guard reply.status != RemoteApp.away else {
            // What is shown stays; it is asked again once the app is back.
            state.withValue { $0.mirror.giveUp(number) }
            onNews()
            return
        }
        let answer = RemoteAnswer(reply, to: question.question)
        state.withValue { $0.mirror.take(answer, to: question, number: number) }
        goOn()
    }

    /// The tabs' queries to a log that have no answer in it.
    private func questions(of plan: RemoteMirror.Plan) -> Set<RemoteQuestion> {
        let name = listed.withValue { $0 }
        var missing: Set<RemoteQuestion> = []
        for place in plan.places {
            missing.formUnion(
                plan.log.asking { log in
                    var state = InspectorState()
                    state.stores = [
                        InspectorState.Seen(
                            name: name, log: log, summary: plan.log.summary, actionNames: [],
                            pages: (common + pages).different,
                            lookAtActivity: { (log as? RemoteLog)?.activity ?? StoreActivity() })
                    ]
                    return InspectorView(state, at: place).fragments
                }.missing)
            if place.pane == .dispatch, plan.log.actions == nil {
                missing.insert(RemoteQuestion(ActionsQuestion()))
            }
        }
        return missing
    }

    // MARK: Commands

    /// Passes a command on; its result appears in the log, or in ``notice``.
    func perform(_ command: InspectorCommand) throws(InspectorError) {
        let app = state.withValue { state in
            state.refusal = nil
            state.mirror.hasten()
            return state.app
        }
        guard !app.isAway else {
            throw InspectorError(.refused, app.absence)
        }
        let body: [UInt8]
        do {
            body = DataFormat.json.bytes(of: try DataValue(encoding: command))
        } catch {
            throw InspectorError(.invalid, "\(error)")
        }
        app.ask(InspectorRequest(.post, "commands", body: body), of: name) { [weak self] reply in
            self?.refuse(reply)
        }
    }

    private func refuse(_ reply: InspectorReply) {
        // That it is away is said anyway, for as long as it is.
        guard reply.status != 200, reply.status != RemoteApp.away else { return }
        let value = try? DataFormat.json.value(of: reply.bytes, limits: RemoteAnswer.limits)
        let reason = value?["message"]?.text ?? "The app refuses (status \(reply.status))."
        state.withValue { $0.refusal = String(reason.prefix(1_000)) }
        onNews()
    }

    func answer(_ request: InspectorRequest) async -> InspectorReply {
        await state.withValue { $0.app }.answer(request, of: name)
    }

    func file() throws(InspectorError) -> [UInt8] {
        throw InspectorError(.refused, "The app writes the file: ask for it by the interface.")
    }

    func load(_ file: [UInt8]) throws(InspectorError) {
        throw InspectorError(.refused, "The app reads the file: post it to the interface.")
    }
}
#endif
