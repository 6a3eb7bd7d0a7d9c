// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Onward
import Synchronization

/// Where a history is played: its store, and everything that uses it.
///
/// Invariant behind `@unchecked`: the `var`s are touched under `mutex`, and what they release goes
/// after it is unlocked.
final class Stage: @unchecked Sendable {
    let history: History
    let recorder: Recorder
    let clock: SoakClock
    private let mutex = NSLock()
    private var theStore: Store<World>?
    private var tokens: [Int: (listener: Int, token: Subscription)] = [:]
    private var screens: [Int: (screen: Screen, listeners: [Int])] = [:]
    private var watchers: [Int: (watcher: Watcher, listener: Int)] = [:]
    private var others: [Subscription] = []
    /// Those of all gates that were attached.
    private var controllers: [CommitGateController<World>] = []
    /// How many threads and tasks of the history are at work.
    private var workers = 0
    /// How often ids have used the store.
    private var meddlings = 0
    /// The thread that replays entries.
    private var replaying: UInt?

    init(_ history: History, _ clock: SoakClock) {
        self.history = history
        self.clock = clock
        recorder = Recorder(history)
    }

    /// The stage of this process; a history has a process to itself.
    static var current: Stage? {
        get { theCurrent.withLock { $0 } }
        set { theCurrent.withLock { $0 = newValue } }
    }

    private static let theCurrent = Mutex<Stage?>(nil)

    // MARK: The store

    var store: Store<World>? { mutex.withLock { theStore } }

    func begin() {
        let onProgrammerError: @Sendable (ProgrammerError) -> Void = { [recorder] mistake in
            switch mistake.kind {
            case .dispatchInsideReducer: break
            // Plans wrap effects, with and without ids, as chance has it.
            case .effectsWithoutIDs: break
            default: recorder.notice("mistake was reported: \(mistake.kind)")
            }
        }
        let options = StoreOptions(
            clock: clock, wallClock: { Timestamp(nanosecondsSince1970: 0) },
            onProgrammerError: onProgrammerError,
            effectError: { _ in }, ids: IDSource(seed: history.seed))
        let store = Store(World(), options: options) {
            Features(stage: self, edition: 1).parts(history.middleware)
        }
        mutex.withLock { theStore = store }
        guard history.isObserved else { return }
        let world = World()
        recorder.change { record in
            for selection in Selection.tracked {
                record.values[selection] = [selection.value(in: world)]
            }
        }
        keep(store.log.attach(Witness(recorder: recorder, keepsValues: true)))
    }

    private var allControllers: [CommitGateController<World>] { mutex.withLock { controllers } }

    /// Lets the store live on without a gate.
    func leaveCommitGate() {
        let controllers = mutex.withLock {
            defer { self.controllers = [] }
            return self.controllers
        }
        for controller in controllers { controller.detach() }
    }

    func keep(_ token: Subscription) { mutex.withLock { others.append(token) } }

    /// Releases everything.
    func release() {
        let all = mutex.withLock {
            defer {
                (theStore, tokens, screens, watchers, others, controllers) = (
                    nil, [:], [:], [:], [], []
                )
            }
            return (theStore, tokens, screens, watchers, others, controllers)
        }
        withExtendedLifetime(all) {}
    }

    /// The edition of the features that were put in last.
    ///
    /// Only their root's reducer knows; asked at rest.
    var edition: Int {
        guard let store else { return 0 }
        let was = store.state
        let edition = replay(
            [LogEntry(version: 1, action: Deed.answer(0))], from: was, in: store
        ).features
        return edition
    }

    // MARK: Foreign code that uses the store

    /// Reads the store, as a getter, a comparison or a `deinit` may.
    func glance() {
        soakPoint()
        guard let store else { return }
        _ = store.log.version
        soakPoint()
    }

    func say(_ farewell: Farewell.Farewell) {
        soakPoint()
        switch farewell {
        case .nothing: break
        case .cancel:
            let token = mutex.withLock { tokens.min { $0.key < $1.key }?.value }
            token?.token.cancel()
            if let token { recorder.isGone(token.listener) }
        case .dispatch:
            let isReducing = recorder.isReducing(on: Self.thread)
            guard let store else { return }
            let result = store.dispatch(Deed.bump(.z), isolation: nil)
            if result == .refused(.insideReducer), !isReducing {
                recorder.notice("a value of the state died under the lock, outside of a reducer")
            }
        }
    }

    /// Uses the store in one way after another, as the code of an id may.
    ///
    /// Where the lock may be held, it only dispatches, which is refused; anything else would stop the program, as in a
    /// reducer, and does so where `what` finds the lock held although it must not.
    func meddle(_ what: String, mayBeLocked: Bool = false) {
        soakPoint()
        guard let store else { return }
        let turn = mutex.withLock {
            meddlings += 1
            return meddlings
        }
        let isReducing = recorder.isReducing(on: Self.thread)
        // Few dispatches, as each may lead to others.
        if turn % 5 == 0, turn < 200 {
            let result = store.dispatch(Deed.bump(.z), isolation: nil)
            if result == .refused(.insideReducer), !isReducing, !mayBeLocked {
                recorder.notice("\(what) ran under the lock, outside of a reducer")
            }
        } else if !isReducing, !mayBeLocked {
            switch turn % 5 {
            case 1: store.subscribe(\.y) { _, _ in }.cancel()
            case 2 where turn < 100: say(.cancel)
            case 3: _ = store.log.version
            default: _ = store.state.z
            }
        }
        soakPoint()
    }

    private func perform(_ step: OddStep, _ store: Store<World>, on here: (any Actor)?) {
        func id(_ number: Int) -> OddID { OddID(number, ofRow: true) }
        switch step {
        case .add(let number): store.dispatch(OddDeed.add(id(number)), isolation: here)
        case .remove(let number): store.dispatch(OddDeed.remove(id(number)), isolation: here)
        case .replace(let number): store.dispatch(OddDeed.replace(id(number)), isolation: here)
        case .rename(let number, let new):
            store.dispatch(OddDeed.rename(id(number), to: id(new)), isolation: here)
        case .row(let number, let deed):
            store.dispatch(deed, to: .row(\.odd, id: id(number)), isolation: here)
        case .subscribe(let number):
            keep(store.subscribe(.row(\.odd, id: id(number))) { _, _ in soakPoint() })
        case .show: _ = store.diagnostics.runningEffects.map { "\($0)" }
        }
    }

    func forget(_ watcher: Watcher) {
        soakPoint()
        store?.unsubscribe(watcher)
        soakPoint()
    }

    static var thread: UInt { UInt(pthread_self()) }

    /// Replays entries; the reducers that run for it are not those of the store.
    func replay(_ entries: [LogEntry], from world: World, in store: Store<World>) -> World {
        mutex.withLock { replaying = Self.thread }
        defer { mutex.withLock { replaying = nil } }
        return store.log.replay(entries, from: world)
    }

    func reducing(_ body: () -> Void) {
        if mutex.withLock({ replaying == Self.thread }) { return body() }
        recorder.beginReducing(Self.thread)
        recorder.reduces()
        soakPoint()
        body()
        soakPoint()
        recorder.endReducing()
    }

    // MARK: Steps

    /// Does the steps of a task.
    func play(
        _ thread: History.Thread, _ name: String, isolation: isolated (any Actor)? = #isolation
    ) async {
        await waiting(name, endsAtRest: thread.endsAtRest) {
            // Named, so that the closure is isolated as its function is.
            for step in thread.steps { await perform(step, isolation: isolation) }
        }
    }

    /// Does a step; what has to be awaited is awaited.
    func perform(_ step: Step, isolation: isolated (any Actor)? = #isolation) async {
        if performAtOnce(step, on: isolation) { return }
        guard let store else { return }
        switch step {
        case .cancelAndWait(let slot):
            guard let (listener, token) = mutex.withLock({ tokens.removeValue(forKey: slot) })
            else { return }
            await waiting("cancelAndWait() of \(slot)", endsAtRest: true) {
                let cancel = recorder.beginCancel(listener, .waited)
                await token.cancelAndWait()
                recorder.endCancel(listener, cancel)
            }
        case .iterate(let selection, let buffering, let count, let sleep):
            await iterate(selection, buffering, count, sleep, store)
        case .wait(let field, let least):
            await waiting("wait(until: \(field) ≥ \(least))", endsAtRest: false) {
                let state = await resting { try? await store.wait { $0[field] >= least } }
                if let state, state[field] < least {
                    recorder.notice("wait(until:) returned a state that does not fulfil it")
                }
            }
        case .idle:
            await waiting("waitUntilIdle()", endsAtRest: true) { await store.waitUntilIdle() }
        case .notified:
            await waiting("waitUntilNotified(of:)", endsAtRest: true) {
                await store.log.waitUntilNotified(of: store.log.version)
            }
        case .run(let deed):
            await waiting("run(\(deed))", endsAtRest: true) { _ = await store.run(deed) }
        case .thunk(let plan):
            await waiting("run of a thunk", endsAtRest: true) {
                try? await store.run { context in
                    try await self.run(plan, context, in: "thunk") { Deed.answer($0) }
                    return
                } as Void
            }
        case .shutdown:
            await waiting("shutdown()", endsAtRest: true) { _ = await store.shutdown() }
        default: break
        }
    }

    private func waiting(
        _ name: String, endsAtRest: Bool, isolation: isolated (any Actor)? = #isolation,
        _ body: () async -> Void
    ) async {
        let wait = recorder.beginWait(name, endsAtRest: endsAtRest)
        await body()
        recorder.endWait(wait)
    }

    /// Does a step of a thread, which starts a task for what has to be awaited.
    func perform(onThread step: Step) {
        if performAtOnce(step, on: nil) { return }
        beginWork()
        Task {
            await self.perform(step)
            self.endWork()
        }
    }

    // MARK: Workers

    /// Whether every thread has ended, or waits for what need not come.
    var isAtRest: Bool { mutex.withLock { workers == 0 } }

    /// A thread begins, or goes on after a wait that need not have ended.
    func beginWork() { mutex.withLock { workers += 1 } }

    func endWork() { mutex.withLock { workers -= 1 } }

    private func resting<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async -> Value
    ) async -> Value {
        endWork()
        defer { beginWork() }
        return await body()
    }

    /// Does a step that needs no waiting; false for the others.
    private func performAtOnce(_ step: Step, on here: (any Actor)?) -> Bool {
        guard let store else { return true }
        soakPoint()
        switch step {
        case .dispatch(let deed): dispatch(deed, store, on: here)
        case .left(let deed): store.scoped(to: \.left).dispatch(deed, isolation: here)
        case .sheet(let deed):
            store.scoped(to: \.sheet).dispatch(deed, isolation: here)
        case .desk(let isOpen):
            store.scoped(to: \.desk).dispatch(DeskDeed.open(isOpen), isolation: here)
        case .claim(let claiming): claim(claiming, store, on: here)
        case .row(let id, let deed, let spelling):
            let text = ["rows/#\(id)", "rows/#0\(id)", "rows/#+\(id)"][spelling]
            guard let address = Address(text) else { break }
            store.dispatch(deed, to: address, isolation: here)
        case .odd(let step): perform(step, store, on: here)
        case .batch(let steps):
            store.batch(isolation: here) {
                recorder.beginBatch()
                for step in steps { _ = performAtOnce(step, on: here) }
                recorder.endBatch()
            }
        case .subscribe(let listening): subscribe(listening, store, from: here)
        case .cancel(let slot): cancel(slot)
        case .release(let slot): release(slot)
        case .addWatcher(let slot, let field): addWatcher(slot, field, store)
        case .dropWatcher(let slot):
            guard let last = mutex.withLock({ watchers.removeValue(forKey: slot) }) else { break }
            recorder.isGone(last.listener)
            soakPoint()
        case .dropScreen(let slot):
            guard let last = mutex.withLock({ screens.removeValue(forKey: slot) }) else { break }
            for listener in last.listeners { recorder.isGone(listener) }
            soakPoint()
        case .observe(let selection): Tracker(self, selection).track()
        case .read(let selection): _ = read(selection, store)
        case .replaceFeatures(let edition):
            let features = Features(stage: self, edition: edition)
            let parts = features.parts(history.middleware)
            store.log.replaceFeatures { parts }
        case .takeCommitGate(let share):
            let gate = Censor(share: share)
            let controller = store.log.attach(gate: gate)
            mutex.withLock { controllers.append(controller) }
        case .travel(let isLive):
            for controller in allControllers {
                // First, so that nothing that comes meanwhile is replaced unseen.
                let version = store.log.version
                var world = store.state
                world.x = 0
                world.farewell = nil
                controller.install(world, replacing: version, resuming: isLive, isolation: here)
            }
        case .pauseCommitGate:
            for controller in allControllers { controller.pause(isolation: here) }
        case .resumeCommitGate:
            for controller in allControllers { controller.resume(isolation: here) }
        case .leaveCommitGate: leaveCommitGate()
        case .attachObserver:
            keep(store.log.attach(Witness(recorder: recorder, keepsValues: false)))
        case .advance(let milliseconds): clock.advance(by: .milliseconds(milliseconds))
        case .pass: soakPoint()
        case .cancelAndWait, .iterate, .wait, .idle, .notified, .run, .thunk, .shutdown:
            return false
        }
        soakPoint()
        return true
    }

    private func dispatch(_ deed: Deed, _ store: Store<World>, on here: (any Actor)?) {
        guard case .accepted(let version) = store.dispatch(deed, isolation: here) else { return }
        if store.log.version < version {
            recorder.notice("dispatch returned version \(version), but the store is older")
        }
    }

    // MARK: Claims

    private func claim(_ claiming: Claiming, _ store: Store<World>, on here: (any Actor)?) {
        asks(claiming)
        let result = ActionAuthor.$current.withValue(claiming.authorName) {
            claiming.way == .toRoot
                ? store.dispatch(DeskDeed.claim(claiming), isolation: here)
                : store.scoped(to: \.desk).dispatch(DeskDeed.claim(claiming), isolation: here)
        }
        learns(result, of: claiming)
    }

    func asks(_ claiming: Claiming) { asks(claiming, by: claiming.authorName) }

    func asks(_ claiming: Claiming, by author: String?) { recorder.asks(claiming, by: author) }

    func learns(_ result: DispatchResult, of claiming: Claiming) {
        switch result {
        case .accepted(let version):
            recorder.change { $0.claims[claiming.serial]?.result = .accepted(Int(version)) }
        case .refused(.failedCheck(let failure)):
            let reason = failure.reason.wireName
            recorder.change { $0.claims[claiming.serial]?.result = .refused(reason) }
        case .withheld, .refused:
            recorder.change { $0.claims[claiming.serial]?.result = .neither }
        }
    }

    /// A check looks at a claim; called under the lock.
    func checks(_ claiming: Claiming, _ check: Int, _ facts: Desk.Facts?) {
        guard !isReplaying else { return recorder.notice("a check ran in a replay") }
        recorder.change { record in
            if let facts, check == 0 { record.claims[claiming.serial]?.checkedFacts = facts }
            record.claims[claiming.serial]?.checks.append(check)
        }
    }

    /// A claim is reduced; called under the lock.
    func reduces(_ claiming: Claiming, _ desk: Desk) {
        guard !isReplaying else { return }
        recorder.change { record in
            // The desk does not see what its parent has; where no check has, nothing is too heavy.
            let x = record.claims[claiming.serial]?.checkedFacts?.x ?? .max - 1
            let facts = Desk.Facts(count: desk.claims.count, x: x, isOpen: desk.isOpen)
            record.claims[claiming.serial]?.reductions.append(facts)
        }
    }

    func sees(_ refused: RefusedAction) {
        soakPoint()
        guard case .claim(let claiming)? = refused.action as? DeskDeed else { return }
        let reason = refused.reason.wireName
        recorder.change { $0.claims[claiming.serial]?.seen.append(reason) }
    }

    private var isReplaying: Bool { mutex.withLock { replaying == Self.thread } }

    // MARK: Listening

    private func subscribe(
        _ listening: Step.Listening, _ store: Store<World>, from here: (any Actor)?
    ) {
        let id = recorder.listen(
            Record.Listener(
                name: "listener \(listening.slot)", selection: listening.selection,
                isIsolated: listening.isolation != .nobody, initially: listening.initially,
                begin: 0, versionBefore: version(of: store)))
        var screen: Screen?
        if case .screen(let slot) = listening.isolation, listening.selection.isByPath {
            screen = mutex.withLock {
                var entry = screens[slot] ?? (Screen(Sentinel(recorder, "actor")), [])
                entry.listeners.append(id)
                screens[slot] = entry
                return entry.screen
            }
        }
        let sentinel = Sentinel(recorder, "subscriber")
        let reactions = Mutex(0)
        let subscribeCall = SubscribeCall(
            initially: listening.initially, isMain: listening.isolation == .main, screen: screen,
            here: here
        ) { [self] old, new in
            sentinel.stay()
            let call = recorder.beginCall(id, old, new)
            soakPoint()
            react(listening, id, reactions)
            soakPoint()
            recorder.endCall(id, call)
        }
        guard let token = subscribeCall.listen(to: listening.selection, of: store) else {
            recorder.isGone(id)
            return
        }
        recorder.listens(id, version: version(of: store))
        let old = mutex.withLock { tokens.updateValue((id, token), forKey: listening.slot) }
        if let old { recorder.isGone(old.listener) }
    }

    private func version(of store: Store<World>) -> Int? {
        history.isObserved ? Int(store.log.version) : nil
    }

    private func react(_ listening: Step.Listening, _ id: Int, _ count: borrowing Mutex<Int>) {
        guard let store else { return }
        let times = count.withLock { count in
            count += 1
            return count
        }
        // Where it is called, so that what it dispatches there is notified directly, too.
        let here: (any Actor)? = listening.isolation == .main ? MainActor.shared : nil
        switch listening.reaction {
        case .nothing: break
        case .dispatch(let deed, let limit):
            if times <= limit { store.dispatch(deed, isolation: here) }
        case .batch(let deed, let limit):
            if times <= limit {
                store.batch(isolation: here) {
                    recorder.beginBatch()
                    store.dispatch(deed, isolation: here)
                    store.dispatch(deed, isolation: here)
                    recorder.endBatch()
                }
            }
        case .claim(let claiming):
            guard times == 1 else { break }
            asks(claiming)
            learns(store.dispatch(DeskDeed.claim(claiming), isolation: here), of: claiming)
        case .cancelSelf:
            // Not known yet while the first call is made.
            let own = mutex.withLock { tokens[listening.slot] }
            if let own, own.listener == id {
                let cancel = recorder.beginCancel(id, .own)
                own.token.cancel()
                recorder.endCancel(id, cancel)
            }
        case .cancel(let slot):
            // A subscriber of this kind is called by the deliverer, so it is cancelled there.
            let isDelivering =
                listening.isolation == .nobody && !listening.initially
            if slot != listening.slot { cancel(slot, isDelivering: isDelivering) }
        case .subscribe(let selection):
            if times == 1 {
                subscribe(
                    Step.Listening(slot: 100 + listening.slot, selection: selection), store,
                    from: nil)
            }
        case .read: _ = read(listening.selection, store)
        case .idleInTask:
            if times == 1 {
                Task {
                    await self.waiting(
                        "waitUntilIdle() in a task of a subscriber", endsAtRest: true
                    ) {
                        await store.waitUntilIdle()
                    }
                }
            }
        }
    }

    private func cancel(_ slot: Int, isDelivering: Bool = false) {
        guard let (listener, token) = mutex.withLock({ tokens.removeValue(forKey: slot) })
        else { return }
        let isOwn = isDelivering && recorder.isCalledByDeliverer(listener)
        let cancel = recorder.beginCancel(listener, isOwn ? .own : .elsewhere)
        token.cancel()
        recorder.endCancel(listener, cancel)
    }

    private func release(_ slot: Int) {
        var last = mutex.withLock { tokens.removeValue(forKey: slot) }
        guard let listener = last?.listener else { return }
        let cancel = recorder.beginCancel(listener, .elsewhere)
        last = nil
        recorder.endCancel(listener, cancel)
    }

    private func addWatcher(_ slot: Int, _ field: Field, _ store: Store<World>) {
        let selection: Selection = field == .x ? .x : field == .y ? .y : .z
        let id = recorder.listen(
            Record.Listener(
                name: "watcher \(slot)", kind: .watcher, selection: selection,
                isIsolated: false, initially: true, begin: 0, versionBefore: version(of: store)))
        let last = Mutex<Int?>(nil)
        let watcher = Watcher(Sentinel(recorder, "object")) { [recorder] new in
            let old = last.withLock { last in
                defer { last = new }
                return last ?? new
            }
            let call = recorder.beginCall(id, old, new)
            soakPoint()
            recorder.endCall(id, call)
        }
        let old = mutex.withLock { watchers.updateValue((watcher, id), forKey: slot) }
        if let old { recorder.isGone(old.listener) }
        switch field {
        case .x: watcher.subscribe(to: .path(\.x), of: store)
        case .y: watcher.subscribe(to: .path(\.y), of: store)
        case .z: watcher.subscribe(to: .path(\.z), of: store)
        }
        recorder.listens(id, version: version(of: store))
    }

    private func iterate(
        _ selection: Selection, _ buffering: Buffering, _ count: Int, _ sleep: Int,
        _ store: Store<World>
    ) async {
        // A store of a row that goes from here on begins with the value that it saw.
        let before = version(of: store)
        guard let values = SubscribeCall.values(of: selection, of: store, buffering) else { return }
        let (losesNewest, losesAny) =
            switch buffering {
            case .latest: (false, true)
            case .every(let limit, let overflow): (overflow == .dropNewest, limit < 50)
            }
        let id = recorder.listen(
            Record.Listener(
                name: "reader of \(selection)",
                kind: .sequence(losesNewest: losesNewest, losesAny: losesAny), selection: selection,
                isIsolated: true, initially: true, begin: 0, versionBefore: before))
        let wait = recorder.beginWait("a reader of \(selection)", endsAtRest: false)
        var iterator = values.makeAsyncIterator()
        recorder.listens(id, version: version(of: store))
        var last: Int?
        for index in 0..<count {
            endWork()
            let value = await iterator.next()
            beginWork()
            guard let next = value else { break }
            let call = recorder.beginCall(id, last ?? next, next)
            recorder.endCall(id, call)
            last = next
            if sleep > 0 { try? await clock.sleep(for: .milliseconds(sleep)) }
            if index == count - 1 { recorder.isGone(id) }
        }
        recorder.endWait(wait)
    }

    private func read(_ selection: Selection, _ store: Store<World>) -> Int {
        switch selection {
        case .sum: store.value(of: .selector(Selectors.sum))
        case .family(let factor): store.value(of: .selector(Selectors.family(factor)))
        case .view: Selection.viewed(store.value(of: .selector(Selectors.view)))
        case .model: store.state.model.description.count
        case .left: store.scoped(to: \.left).state.n
        case .sheetUnwrapped: store.scoped(to: \.sheet).unwrapped()?.state.n ?? -1
        default: selection.value(in: store.state)
        }
    }

    // MARK: Effects

    func effect<State: Sendable, A: Action>(
        _ plan: EffectPlan, _ context: EffectContext<State>, in instance: String,
        _ answer: @escaping @Sendable (Int) -> A
    ) -> Effect {
        soakPoint()
        recorder.submit(plan, in: instance)
        let id = plan.id.map { id -> any Hashable & Sendable in
            plan.hasOddID ? OddID(id, ofRow: false) : "\(id)"
        }
        var effect = Effect.run(id: id, plan.policy) { [self] in
            try await run(plan, context, in: instance, answer)
        }
        switch plan.wrap {
        case .none, .pacedStep: break
        case .timeout(let duration): effect = effect.timeout(after: .milliseconds(duration))
        case .retry:
            effect = effect.retry(attempts: 2, .constant(.milliseconds(1)))
        case .repeated(let interval): effect = effect.repeated(every: .milliseconds(interval))
        case .sequence: effect = .sequence(.run {}, effect)
        case .merge: effect = .merge(effect, .run { await Parking.pass() })
        }
        switch plan.timing {
        case .none: break
        case .debounce(let duration): effect = effect.debounce(for: .milliseconds(duration))
        case .throttle(let duration, let edge):
            effect = effect.throttle(for: .milliseconds(duration), edge)
        }
        return plan.wrap == .pacedStep ? .sequence(.run {}, effect) : effect
    }

    private struct Broken: Error {}

    private func run<State: Sendable, A: Action>(
        _ plan: EffectPlan, _ context: EffectContext<State>, in instance: String,
        _ answer: @escaping @Sendable (Int) -> A
    ) async throws {
        let sentinel = Sentinel(recorder, "effect")
        defer { sentinel.stay() }
        let (run, attempt) = recorder.beginRun(plan.serial, in: instance)
        defer { recorder.endRun(run) }
        if attempt > 3 { throw Broken() }
        for step in plan.steps {
            soakPoint()
            switch step {
            case .answer: context.dispatch(answer(plan.serial), isolation: nil)
            case .sleep(let duration): try await context.clock.sleep(for: .milliseconds(duration))
            case .yield: await Parking.pass()
            case .idle: await store?.waitUntilIdle()
            case .fail: throw Broken()
            case .read: _ = context.current
            }
        }
    }

    func checkAnswer(to serial: Int, reaches birth: Int, of instance: String) {
        guard let meant = recorder.birth(of: serial), meant != birth else { return }
        recorder.notice(
            "an effect of \(instance), born as \(meant), changed the one that was born as \(birth)")
    }

    /// Notices effects whose instance went away, when all that was committed has been notified.
    func lookForOrphans() {
        guard let store else { return }
        let world = store.state
        let births =
            [world.left.birth, world.right.birth] + world.rows.map(\.birth)
            + world.odd.map(\.birth) + (world.sheet.map { [$0.birth] } ?? [])
        for effect in store.diagnostics.runningEffects where effect.phase != .cancelled {
            let plan: EffectPlan? =
                if case .start(let plan)? = effect.action as? RowDeed {
                    plan
                } else if case .start(let plan)? = effect.action as? PanelDeed {
                    plan
                } else {
                    nil
                }
            guard let plan, let birth = recorder.birth(of: plan.serial), !births.contains(birth)
            else { continue }
            recorder.notice("an effect goes on whose instance, born as \(birth), went away")
        }
    }

    /// Stays until it is cancelled.
    func keep(_ what: String, _ value: Int, _ birth: Int, _ features: Int) async {
        let id = recorder.beginKeeping(
            Record.Keeping(what: what, value: value, birth: birth, features: features))
        await Parking().park()
        recorder.endKeeping(id)
    }
}

/// Keeps a task until it is cancelled.
final class Parking: Sendable {
    private let state = Mutex<(CheckedContinuation<Void, Never>?, Bool)>((nil, false))

    /// Lets others run first; the runtime's own `yield` goes past the hooks of `TaskHooks`.
    static func pass() async {
        await withCheckedContinuation { continuation in Task { continuation.resume() } }
    }

    func park() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isLate = state.withLock { state in
                    if !state.1 { state.0 = continuation }
                    return state.1
                }
                if isLate { continuation.resume() }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                state.1 = true
                return state.0.take()
            }
            continuation?.resume()
        }
    }
}
