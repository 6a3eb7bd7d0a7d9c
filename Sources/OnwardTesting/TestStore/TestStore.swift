// SPDX-License-Identifier: MIT

#if Testing
public import Onward
internal import OnwardJournal

/// A store for tests, in which every state change, every action that comes back and the end of
/// every effect has to be expected.
///
/// ```swift
/// let store = TestStore(Search()) { search }
/// await store.dispatch(SearchAction.typed("on")) { $0.text = "on" }
/// await store.advance(by: .milliseconds(300))
/// await store.receive(SearchAction.found(["Onward"])) { $0.books = ["Onward"] }
/// await store.finish()
/// ```
///
/// It drives a real `Store`, ``live``, with the features of the app. Only its surroundings are
/// different: time is a ``ManualClock``, random numbers have a seed, ids count
/// (`UniqueID(number: 1)`, 2, 3 …), and effects run one step at a time, so that a test runs the
/// same way every time.
///
/// Anything unexpected fails the test at the line of the assertion, in Swift Testing and in XCTest.
/// So do programmer errors of the store, errors that effects don't catch, and anything that a `Saving` could
/// not read or write.
///
/// A test store belongs to one test; it is not `Sendable`. Whatever is dispatched to ``live``, from
/// anywhere, has to be received like the actions of effects.
public final class TestStore<State: Sendable> {
    /// The store under test.
    public let live: Store<State>
    /// The store's clock; ``advance(by:isolation:fileID:filePath:line:column:)`` moves it.
    public let clock: ManualClock
    /// The state after the newest action about which the test has asserted something.
    ///
    /// Effects may have changed the state of ``live`` since.
    public private(set) var state: State
    /// The commit that ``state`` is of.
    private var version: CommitVersion = 0

    private let log = CommitLog<State>()
    private let effects = EffectQueue()
    /// What happened apart from the test's own lines; reported at the next one of these.
    private let incidents = Guarded<[String]>([])
    private let token: Subscription
    private let limit: Duration
    private let creationSite: CallSite
    private let test = OwningTest()
    /// What the store takes from its surroundings, which goes on in the store of a restart.
    private let world: World
    private var isFinished = false

    private struct World {
        let clock: ManualClock
        /// Where the clock stood when the first store was made.
        let start: ManualClock.Instant
        let random: RandomSource
        let ids: IDSource
    }

    /// Creates a test store with an initial state and the features under test.
    ///
    /// - Parameters:
    ///   - state: The initial state.
    ///   - clock: The store's clock.
    ///   - seed: The seed of the store's random numbers.
    ///   - limit: How much real time to wait for something that does not come.
    ///   - adjust: Changes further options of the store, such as its limits.
    ///   - fileID: The source file, for failures.
    ///   - filePath: The path of the source file, for failures.
    ///   - line: The source line, for failures.
    ///   - column: The column in the line, for failures.
    ///   - features: As for a `Store`.
    public convenience init(
        _ state: State, clock: ManualClock = ManualClock(), seed: UInt64 = 1,
        timeout limit: Duration = .seconds(5),
        options adjust: (inout StoreOptions) -> Void = { _ in },
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column, @FeatureBuilder<State> _ features: () -> [any Part<State>]
    ) {
        let world = World(
            clock: clock, start: clock.now, random: RandomSource(seed: seed), ids: .numbered())
        self.init(
            state, world, limit, adjust, CallSite(fileID, filePath, line, column), features)
    }

    /// Creates the test store of a program that starts again after another one.
    ///
    /// Its surroundings go on: the clock is the same, and ids and random numbers continue where
    /// those of the first store were. So an id that the first one gave to a server, such as the key
    /// of a payment, is not given again.
    ///
    /// - Parameters:
    ///   - first: The test store of the program that ran before.
    ///   - state: The state with which the program starts, before a feature restores what was saved.
    ///   - limit: How much real time to wait for something that does not come.
    ///   - adjust: Changes further options of the store, such as its limits.
    ///   - fileID: The source file, for failures.
    ///   - filePath: The path of the source file, for failures.
    ///   - line: The source line, for failures.
    ///   - column: The column in the line, for failures.
    ///   - features: As for a `Store`.
    public convenience init<Earlier>(
        continuing first: TestStore<Earlier>, from state: State,
        timeout limit: Duration = .seconds(5),
        options adjust: (inout StoreOptions) -> Void = { _ in },
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column, @FeatureBuilder<State> _ features: () -> [any Part<State>]
    ) {
        let world = World(
            clock: first.clock, start: first.world.start, random: first.world.random,
            ids: first.world.ids)
        self.init(
            state, world, limit, adjust, CallSite(fileID, filePath, line, column), features)
    }

    private init(
        _ state: State, _ world: World, _ limit: Duration,
        _ adjust: (inout StoreOptions) -> Void, _ callSite: CallSite,
        _ features: () -> [any Part<State>]
    ) {
        let (clock, start) = (world.clock, world.start)
        let incidents = incidents
        var options = StoreOptions(
            clock: clock,
            wallClock: {
                let nanoseconds = start.duration(to: clock.now) / .nanoseconds(1)
                return Timestamp(
                    nanosecondsSince1970: Int64(exactly: nanoseconds.rounded()) ?? .max)
            },
            onProgrammerError: { mistake in
                // It may be intended, and where it isn't, the state is not the expected one.
                guard mistake.kind != .passedReducer else { return mistake.complain() }
                incidents.withValue { $0.append(TestFailure.programmerError(mistake)) }
            },
            effectError: { failure in
                guard !failure.isAfterCancellation else { return }
                incidents.withValue { $0.append(TestFailure.threw(failure)) }
            },
            random: world.random, ids: world.ids, effectExecutor: effects)
        options.savingError = { error in
            incidents.withValue { $0.append(TestFailure.notSaved(error)) }
        }
        adjust(&options)
        self.clock = clock
        self.limit = limit
        self.world = World(clock: clock, start: start, random: options.random, ids: options.ids)
        creationSite = callSite
        live = Store(state, options: options, features)
        // A feature may have put a saved value into it.
        self.state = live.state
        token = live.log.attach(log)
        effects.begin()
    }

    deinit {
        reportIncidents(at: creationSite)
        guard !isFinished else { return }
        let entries = log.pending.map(\.entry)
        let running = unfinishedEffects
        guard !entries.isEmpty || !running.isEmpty else { return }
        test.report(TestFailure.unfinished(entries, running), at: creationSite)
    }

    // MARK: What the test does

    /// Dispatches an action, and states what it changes.
    ///
    /// Returns once the effects that it starts have ended, or wait for time or the outside world.
    ///
    /// - Parameters:
    ///   - action: What happened.
    ///   - address: The receiving instance.
    ///   - strictness: Whether all changes have to be stated.
    ///   - isolation: The actor that the test runs on.
    ///   - fileID: The source file, for failures.
    ///   - filePath: The path of the source file, for failures.
    ///   - line: The source line, for failures.
    ///   - column: The column in the line, for failures.
    ///   - changes: Turns the state before into the one after; without it, the state must not
    ///     change.
    public func dispatch<A: Action>(
        _ action: A, to address: Address = .root, _ strictness: Strictness = .exhaustive,
        isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        changes: ((inout State) throws -> Void)? = nil
    ) async {
        await dispatch(
            action, to: address, strictness, CallSite(fileID, filePath, line, column),
            changes.map { changes in { state, _ in try changes(&state) } }, isolation: isolation)
    }

    /// Dispatches an action that is completed when it is dispatched, and states what it changes with the same stamp.
    ///
    /// ```swift
    /// await store.dispatch(ListAction.add("Milk")) { list, stamp in
    ///     list.items = [Item(id: stamp.id(), title: "Milk", created: stamp.time)]
    /// }
    /// ```
    ///
    /// Ids are numbered, unless the options say otherwise, and the time is that of the test's clock. Otherwise it is like
    /// the dispatch without a stamp.
    public func dispatch<A: Action>(
        _ action: A, to address: Address = .root, _ strictness: Strictness = .exhaustive,
        isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        changes: (inout State, Stamp) throws -> Void
    ) async {
        await withoutActuallyEscaping(changes) { changes in
            await dispatch(
                action, to: address, strictness, CallSite(fileID, filePath, line, column), changes,
                isolation: isolation)
        }
    }

    private func dispatch<A: Action>(
        _ action: A, to address: Address, _ strictness: Strictness, _ callSite: CallSite,
        _ changes: ((inout State, Stamp) throws -> Void)?, isolation: isolated (any Actor)?
    ) async {
        await settle()
        reportIncidents(at: callSite)
        if strictness == .exhaustive { expectNothingPending(before: action.wireName, at: callSite) }
        let result = effects.holding {
            live.dispatch(
                action, to: address, file: "\(callSite.fileID)", line: Int(callSite.line),
                isolation: isolation)
        }
        guard let version = result.version else {
            // A programmer error says more than that the action was refused.
            if reportIncidents(at: callSite) { return }
            return Issue.report(TestFailure.notAccepted(action, at: address, result), at: callSite)
        }
        if let commit = await log.take(version, within: limit) {
            check(changes, against: commit, strictness, at: callSite)
        }
        await settle()
        reportIncidents(at: callSite)
    }

    /// Dispatches an action to an instance inside the state: `to: .row(\.tasks, id: 7)`,
    /// `to: .child(\.detail)`.
    ///
    /// Otherwise like the dispatch to an `Address`.
    public func dispatch<A: Action>(
        _ action: A, to instance: AddressPath<State>, _ strictness: Strictness = .exhaustive,
        isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        changes: ((inout State) throws -> Void)? = nil
    ) async {
        await dispatch(
            action, to: instance.address, strictness, isolation: isolation, fileID: fileID,
            filePath: filePath, line: line, column: column, changes: changes)
    }

    /// Dispatches an action that is completed when it is dispatched to an instance inside the state, and states what it
    /// changes with the same stamp.
    public func dispatch<A: Action>(
        _ action: A, to instance: AddressPath<State>, _ strictness: Strictness = .exhaustive,
        isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        changes: (inout State, Stamp) throws -> Void
    ) async {
        await dispatch(
            action, to: instance.address, strictness, isolation: isolation, fileID: fileID,
            filePath: filePath, line: line, column: column, changes: changes)
    }

    /// Dispatches several actions in a row, before an effect of the first gets its turn, as when a
    /// user taps twice, and states what they change together.
    ///
    /// An effect that should work with the state right after its action, but reads
    /// `context.current`, sees the state after the last action here, and dispatches something other
    /// than the test expects.
    ///
    /// - Parameters:
    ///   - actions: What happened.
    ///   - address: The receiving instance.
    ///   - strictness: Whether all changes have to be stated.
    ///   - isolation: The actor that the test runs on.
    ///   - fileID: The source file, for failures.
    ///   - filePath: The path of the source file, for failures.
    ///   - line: The source line, for failures.
    ///   - column: The column in the line, for failures.
    ///   - changes: Turns the state before the first into the one after the last; without it, the
    ///     state must not change.
    public func dispatch(
        inSuccession actions: [any Action], to address: Address = .root,
        _ strictness: Strictness = .exhaustive, isolation: isolated (any Actor)? = #isolation,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column, changes: ((inout State) throws -> Void)? = nil
    ) async {
        let callSite = CallSite(fileID, filePath, line, column)
        let name = actions.map { type(of: $0).actionName }.joined(separator: ", ")
        await settle()
        reportIncidents(at: callSite)
        if strictness == .exhaustive { expectNothingPending(before: name, at: callSite) }
        let results = effects.holding {
            actions.map { action in
                live.dispatch(
                    action, to: address, file: "\(fileID)", line: Int(line), isolation: isolation)
            }
        }
        var (before, last): (State?, Commit<State>?) = (nil, nil)
        for (action, result) in zip(actions, results) {
            guard let version = result.version else {
                if reportIncidents(at: callSite) { continue }
                Issue.report(TestFailure.notAccepted(action, at: address, result), at: callSite)
                continue
            }
            guard let commit = await log.take(version, within: limit) else { continue }
            before = before ?? commit.before
            last = commit
        }
        if let before, let last, let after = last.after {
            show(last)
            Expectation(changes, strictness).check(name, before: before, after: after, at: callSite)
        }
        await settle()
        reportIncidents(at: callSite)
    }

    /// Advances the clock from sleeper to sleeper, letting each act before the clock moves further.
    ///
    /// Something that ticks every second ticks ten times in ten seconds.
    ///
    /// - Parameters:
    ///   - duration: How far to advance.
    ///   - isolation: The actor that the test runs on.
    ///   - fileID: The source file, for failures.
    ///   - filePath: The path of the source file, for failures.
    ///   - line: The source line, for failures.
    ///   - column: The column in the line, for failures.
    public func advance(
        by duration: Duration, isolation: isolated (any Actor)? = #isolation,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) async {
        await settle()
        let end = clock.now.advanced(by: duration)
        while let next = clock.deadlines.first, next <= end {
            effects.holding { clock.advance(by: clock.now.duration(to: next)) }
            await settle()
        }
        clock.advance(by: clock.now.duration(to: end))
        await settle()
        reportIncidents(at: CallSite(fileID, filePath, line, column))
    }

    /// Ends the test: all actions must have been received, and all effects of actions must have
    /// ended.
    ///
    /// Effects of a `While` live as long as the state says so, and end here with the store; each
    /// effect has to react to its cancellation, and no task may be left asleep on the clock. An
    /// effect that sleeps, or is held by a debounce or a throttle, is reported at once. The call
    /// waits for effects that still await the outside world, up to the test store's time limit.
    ///
    /// - Parameters:
    ///   - strictness: `.partial` skips what was not received, and cancels what is still running.
    ///   - isolation: The actor that the test runs on.
    ///   - fileID: The source file, for failures.
    ///   - filePath: The path of the source file, for failures.
    ///   - line: The source line, for failures.
    ///   - column: The column in the line, for failures.
    public func finish(
        _ strictness: Strictness = .exhaustive, isolation: isolated (any Actor)? = #isolation,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) async {
        let callSite = CallSite(fileID, filePath, line, column)
        isFinished = true
        await settle()
        if strictness == .exhaustive {
            await waitForEffects()
            let running = unfinishedEffects
            expectNothingPending(before: "the end of the test", at: callSite)
            if !running.isEmpty {
                Issue.report(TestFailure.stillRunning(running, clock), at: callSite)
            }
        }
        if await !end(of: live, waiting: { _ = await $0.shutdown() }) {
            Issue.report(
                TestFailure.deaf(live.diagnostics.runningEffects, after: limit), at: callSite)
        } else if strictness == .exhaustive, clock.sleeperCount > 0 {
            Issue.report(TestFailure.sleepers(clock), at: callSite)
        }
        reportIncidents(at: callSite)
    }

    // MARK: What the test is notified of

    /// Takes the next action that the test did not dispatch itself, once it has come, or fails with
    /// what was expected in words.
    func receive<A: Action>(
        _ expected: String, at address: Address?, _ strictness: Strictness, _ callSite: CallSite,
        _ changes: ((inout State, Stamp) throws -> Void)?, isolation: isolated (any Actor)?,
        match: (A) -> Bool, difference: (A) -> String?
    ) async -> A? {
        var passedOver: [LogEntry] = []
        while let commit = await next() {
            reportIncidents(at: callSite)
            let action = commit.entry.action as? A
            if let action, address == nil || address == commit.entry.address, match(action) {
                check(changes, against: commit, strictness, at: callSite)
                return action
            }
            show(commit)
            if strictness == .exhaustive {
                let details = action.flatMap(difference)
                Issue.report(
                    TestFailure.unexpected(commit.entry, expected: expected, difference: details),
                    at: callSite)
                return nil
            }
            passedOver.append(commit.entry)
        }
        reportIncidents(at: callSite)
        Issue.report(
            TestFailure.nothingCame(
                expected: expected, passedOver: passedOver, within: limit,
                live.diagnostics.runningEffects,
                clock),
            at: callSite)
        return nil
    }

    /// The next commit about which nothing was asserted; nil when none comes in time.
    private func next(isolation: isolated (any Actor)? = #isolation) async -> Commit<State>? {
        await settle()
        if let commit = log.takeFirst() { return commit }
        // A task outside the store, such as that of a middleware, may still be on its way.
        let isQuiet = live.diagnostics.runningEffects.isEmpty && clock.sleeperCount == 0
        await log.news(within: isQuiet ? min(limit, .seconds(2)) : limit)
        await settle()
        return log.takeFirst()
    }

    // MARK: How it is done

    /// Waits until everything that happened has been notified, and no effect has a step to make.
    private func settle(isolation: isolated (any Actor)? = #isolation) async {
        await effects.rest(atMost: limit)
        await log.catchUp(with: live.version, within: limit)
        await effects.rest(atMost: limit)
    }

    /// Waits for the effects that await the outside world, and for nothing that only the clock can
    /// end.
    private func waitForEffects(isolation: isolated (any Actor)? = #isolation) async {
        let slices = 100
        for _ in 0..<slices {
            if unfinishedEffects.allSatisfy(isHeldByClock) { return }
            let isOver = await end(
                of: live, within: limit / slices, waiting: { await $0.waitUntilIdle() })
            await settle()
            if isOver { return }
        }
    }

    /// Whether only time, or another effect, lets an effect go on.
    private func isHeldByClock(_ effect: RunningEffect) -> Bool {
        switch effect.phase {
        case .waiting, .queued: true
        case .running, .cancelled: effect.isResting || clock.isAsleep(effect.number)
        }
    }

    /// The effects that should end by themselves.
    private var unfinishedEffects: [RunningEffect] {
        live.diagnostics.runningEffects.filter { $0.kind != .state }
    }

    /// Whether something that takes real time ended before the limit; it continues when it did not.
    @discardableResult
    private func end(
        of store: Store<State>, within limit: Duration? = nil,
        isolation: isolated (any Actor)? = #isolation,
        waiting wait: @escaping @Sendable (Store<State>) async -> Void
    ) async -> Bool {
        let isOver = Awaited(false)
        let task = Task.detached {
            await wait(store)
            isOver.withValue { $0 = true }
        }
        defer { task.cancel() }
        if case .fulfilled = await isOver.wait(atMost: limit ?? self.limit, until: { $0 }) {
            return true
        }
        return false
    }

    /// Compares what a commit changed with what the test says.
    private func check(
        _ changes: ((inout State, Stamp) throws -> Void)?, against commit: Commit<State>,
        _ strictness: Strictness, at callSite: CallSite
    ) {
        guard let before = commit.before, let after = commit.after else { return }
        show(commit)
        Expectation(changes, strictness).check(
            TestFailure.name(commit.entry), before: before, after: after,
            stamp: commit.entry.stamp, at: callSite)
    }

    /// Something was asserted about a commit, or it was skipped.
    private func show(_ commit: Commit<State>) {
        guard let after = commit.after, commit.entry.version > version else { return }
        (state, version) = (after, commit.entry.version)
    }

    private func expectNothingPending(before moment: String, at callSite: CallSite) {
        let commits = log.takeAll()
        guard let last = commits.last else { return }
        show(last)
        Issue.report(TestFailure.unreceived(commits.map(\.entry), before: moment), at: callSite)
    }

    /// Whether there were any.
    @discardableResult
    private func reportIncidents(at callSite: CallSite) -> Bool {
        let new = incidents.withValue { incidents in
            defer { incidents = [] }
            return incidents
        }
        for incident in new { test.report(incident, at: callSite) }
        return !new.isEmpty
    }
}
#endif
