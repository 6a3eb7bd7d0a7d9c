// SPDX-License-Identifier: MIT

import Onward

/// Makes a history of a seed: the same one for the same seed.
struct Generator {
    private var random: SplitMix64
    private let seed: UInt64
    private var serial = 0
    private var slots = 0
    private let isObserved: Bool
    /// Whether the ids of effects use the store.
    private let isOdd: Bool
    /// Whether effects wait for rest, which makes others wait for them.
    private let usesIdle: Bool
    /// What this history is about: few things, so that they meet.
    private let interests: [(Int, Interest)]

    /// What a history can be about.
    enum Interest: String, CaseIterable {
        case values, isolated, sequences, observation, rows, sheet, effects, pacedEffects, whiles
        case objects, actors, batches, gate, features, waiting, derived, listeners, farewells
        case instances, checks
        /// Only on request: rows by all the texts that mean their id.
        case spellings
        /// Rows, effects and actions with ids that use the store.
        case oddities

        static let usual = allCases.filter { $0 != .spellings && $0 != .oddities }
    }

    init(seed: UInt64, about interest: Interest? = nil) {
        self.seed = seed
        random = SplitMix64(seed: seed)
        isObserved = random.below(3) > 0
        usesIdle = random.oneIn(10)
        var interests = [(2, Interest.values)]
        for _ in 0..<(1 + random.below(3)) {
            let one = random.pick(Interest.usual)
            interests.append((4, interest ?? one))
        }
        self.interests = interests
        isOdd = interests.contains { $0.1 == .oddities }
    }

    mutating func history() -> History {
        let isAboutFeatures = interests.contains { $0.1 == .features }
        let isAboutIsolation = interests.contains { $0.1 == .isolated || $0.1 == .listeners }
        let middleware: Meddler.Mode? =
            isAboutFeatures || random.oneIn(6)
            ? random.pick([.passesOn, .passesOn, .addsOne, .withholdsSome]) : nil
        let count = random.pick([1, 2, 2, 2, 3, 3, 4])
        let threads = (0..<count).map { _ in
            let kind: History.Thread.Kind = random.pick(weighted: [
                (5, .thread), (2, .task), (isAboutIsolation ? 4 : 1, .mainTask),
            ])
            let steps = (0..<(2 + random.below(6))).map { _ in step() }
            return History.Thread(kind: kind, steps: steps)
        }
        return History(
            seed: seed, isObserved: isObserved, middleware: middleware, threads: threads)
    }

    private mutating func step() -> Step {
        let interest = random.pick(weighted: interests)
        switch interest {
        case .values:
            return random.pick([
                .dispatch(deed()), .dispatch(deed()), .subscribe(listening()), .pass,
                .subscribe(listening()), .cancel(slot()), .read(selection()),
            ])
        case .isolated:
            var listening = listening(random.pick([.x, .x, .x, .y, .half, .near, .left]))
            listening.isolation = random.pick([.main, .main, .screen(random.below(2)), .nobody])
            return random.pick(weighted: [
                (3, .subscribe(listening)), (6, .dispatch(.bump(.x))), (1, .dispatch(deed())),
                (2, .advance(random.pick([1, 2, 4]))),
            ])
        case .sequences:
            return random.oneIn(2)
                ? .iterate(
                    selection(), buffering(), count: 1 + random.below(4),
                    sleep: random.pick([0, 0, 3]))
                : .dispatch(deed())
        case .observation:
            return random.oneIn(3)
                ? .observe(random.pick([.x, .x, .y, .left, .sheet, .row(1)]))
                : random.oneIn(3)
                    ? .batch([.dispatch(deed()), .observe(.x), .dispatch(deed())])
                    : .dispatch(deed())
        case .rows:
            let id = random.pick([1, 1, 2])
            return random.pick(weighted: [
                (2, .dispatch(.removeRow(id))), (2, .dispatch(.addRow(id))),
                (2, .dispatch(.replaceRow(id))), (1, .dispatch(.moveRow(id))),
                (3, .dispatch(.bumpRow(id))), (2, .row(id, .bump)),
                (2, .row(id, .retitle(number()))),
                (2, .row(id, .open(random.oneIn(2)))),
                (2, .row(id, .start(plan()), spelling: random.below(3))),
                (
                    1,
                    .batch([
                        .row(id, .start(plan())), .dispatch(.removeRow(id)), .dispatch(.addRow(id)),
                    ])
                ),
                (
                    3,
                    .subscribe(
                        listening(
                            random.pick([
                                .row(id), .rowStore(id), .rowUnwrapped(id), .rowTitle(id),
                                .rowNear(id),
                            ])))
                ),
            ])
        case .spellings:
            var plan = plan()
            (plan.id, plan.timing, plan.wrap) = (0, .none, .none)
            plan.policy = random.pick([.dropping, .queue, .dropping])
            return .row(1, .start(plan), spelling: random.below(3))
        case .sheet:
            return random.pick(weighted: [
                (3, .dispatch(.openSheet)), (3, .dispatch(.closeSheet)), (3, .sheet(.bump)),
                (1, .sheet(.start(plan()))), (1, .sheet(.live(random.oneIn(2)))),
                (1, .batch([.dispatch(.closeSheet), .dispatch(.openSheet)])),
                (3, .subscribe(listening(random.pick([.sheet, .sheetStore, .sheetUnwrapped])))),
            ])
        case .instances:
            var plan = plan()
            plan.steps = [.sleep(random.pick([2, 6]))] + plan.steps
            return random.pick(weighted: [
                (3, .row(1, .start(plan))), (2, .sheet(.start(plan))), (1, .dispatch(.openSheet)),
                (1, .dispatch(.closeSheet)), (1, .dispatch(.addRow(1))),
                (1, .dispatch(random.oneIn(2) ? .removeRow(1) : .replaceRow(1))),
                (1, .advance(1)),
            ])
        case .checks:
            return random.pick(weighted: [
                (8, .claim(claiming())), (2, .desk(random.oneIn(2))), (2, .dispatch(.bump(.x))),
                (
                    2,
                    .batch([
                        .claim(claiming()), .desk(random.oneIn(2)), .claim(claiming()),
                    ])
                ),
                (1, .subscribe(listening(random.oneIn(2) ? .desk : .x))), (1, .attachObserver),
            ])
        case .oddities:
            let (id, other) = (random.below(3), random.below(4))
            return random.pick(weighted: [
                (4, .odd(.add(id))), (1, .odd(.remove(id))), (1, .odd(.replace(id))),
                (4, .odd(.rename(id, to: other))), (3, .odd(.row(id, .open(random.oneIn(2))))),
                (3, .odd(.row(id, .start(plan())))), (2, .odd(.row(id, .bump))),
                (2, .odd(.subscribe(id))), (1, .odd(.show)), (2, .dispatch(.start(plan()))),
                (
                    2,
                    .batch([
                        .odd(.add(id)), .odd(.row(id, .open(true))), .odd(.row(id, .start(plan()))),
                        .odd(.rename(id, to: other)),
                    ])
                ),
            ])
        case .effects:
            return random.pick(weighted: [
                (4, .dispatch(.start(plan()))), (1, .left(.start(plan()))), (1, .thunk(plan())),
                (1, .run(.start(plan()))), (1, .idle), (1, .dispatch(deed())),
            ])
        case .pacedEffects:
            var plan = plan()
            plan.id = random.oneIn(3) ? 1 : 0
            plan.timing = random.pick([
                .debounce(2), .debounce(5),
                .debounce(5), .debounce(2), .throttle(5, .leading), .throttle(5, .trailing),
                .throttle(5, .both),
            ])
            if random.oneIn(2) { plan.wrap = .pacedStep }
            return random.pick(weighted: [
                (6, .dispatch(.start(plan))), (1, .advance(random.pick([1, 3, 6]))), (1, .idle),
            ])
        case .whiles:
            return random.pick(weighted: [
                (3, .dispatch(.live(random.oneIn(2)))),
                (2, .dispatch(.topic(random.pick([nil, 1, 2])))),
                (2, .left(.live(random.oneIn(2)))), (2, .row(1, .open(random.oneIn(2)))),
                (1, .dispatch(.replaceRow(1))),
                (
                    1,
                    .batch([
                        .dispatch(.removeRow(1)), .dispatch(.addRow(1)), .row(1, .open(true)),
                    ])
                ),
            ])
        case .objects:
            return random.pick(weighted: [
                (3, .addWatcher(random.below(2), random.pick(Field.allCases))),
                (3, .dropWatcher(random.below(2))), (3, .dispatch(deed())),
            ])
        case .actors:
            let screen = random.below(2)
            var listening = listening()
            listening.isolation = .screen(screen)
            return random.pick(weighted: [
                (3, .subscribe(listening)), (2, .dropScreen(screen)), (3, .dispatch(deed())),
                (1, .cancelAndWait(slot())),
            ])
        case .batches:
            return .batch((0..<(1 + random.below(3))).map { _ in plainStep() })
        case .gate:
            return random.pick(weighted: [
                (3, .takeCommitGate(withholdsOneIn: random.pick([2, 1_000]))),
                (2, .travel(resuming: random.oneIn(2))), (1, .pauseCommitGate),
                (1, .resumeCommitGate),
                (1, .leaveCommitGate), (4, .dispatch(deed())), (1, .dispatch(.start(plan()))),
            ])
        case .features:
            return random.pick(weighted: [
                (2, .replaceFeatures(1 + random.below(3))), (4, .dispatch(deed())),
                (1, .dispatch(.live(random.oneIn(2)))), (1, .dispatch(.start(plan()))),
            ])
        case .waiting:
            return random.pick(weighted: [
                (2, .wait(.x, atLeast: 1 + random.below(3))), (2, .idle), (2, .notified),
                (2, .run(deed())),
                (1, .cancelAndWait(slot())), (4, .dispatch(deed())),
                (1, .dispatch(.start(plan()))),
            ])
        case .derived:
            return random.oneIn(2)
                ? .subscribe(
                    listening(random.pick([.model, .sum, .family(1), .view, .half, .model])))
                : random.oneIn(3) ? .read(random.pick([.model, .sum, .view])) : .dispatch(deed())
        case .listeners:
            var listening = listening()
            listening.reaction = reaction()
            return random.pick(weighted: [
                (4, .subscribe(listening)), (4, .dispatch(deed())), (2, .cancel(slot())),
                (1, .release(slot())), (1, .cancelAndWait(slot())), (1, .attachObserver),
            ])
        case .farewells:
            return random.pick(weighted: [
                (3, .dispatch(.keep(random.pick([nil, .nothing, .cancel, .dispatch])))),
                (2, .dispatch(deed())), (1, .subscribe(listening())),
            ])
        }
    }

    private mutating func plainStep() -> Step {
        random.pick(weighted: [
            (6, .dispatch(deed())), (2, .subscribe(listening())), (1, .observe(.x)),
            (1, .cancel(slot())), (1, .read(selection())), (1, .row(1, .bump)),
            (1, .batch([.dispatch(deed())])),
        ])
    }

    private mutating func deed() -> Deed {
        let field = random.pick(weighted: [(5, Field.x), (3, .y), (1, .z)])
        return isObserved && random.oneIn(3) ? .set(field, random.below(3)) : .bump(field)
    }

    private mutating func claiming() -> Claiming {
        Claiming(
            serial: number(), weight: random.below(4),
            author: random.oneIn(2) ? nil : random.below(2),
            way: random.pick(weighted: [(3, .toRoot), (2, .toDesk), (2, .byEffect)]))
    }

    private mutating func number() -> Int {
        serial += 1
        return serial
    }

    private mutating func slot() -> Int { random.below(max(slots, 1)) }

    private mutating func selection() -> Selection { random.pick(weighted: Selection.all) }

    private mutating func buffering() -> Buffering {
        random.pick([
            .latest, .every(limit: 1, onOverflow: .dropNewest),
            .every(limit: 2, onOverflow: .dropNewest), .every(limit: 2, onOverflow: .dropOldest),
            .every(limit: 100, onOverflow: .dropOldest),
        ])
    }

    private mutating func listening(_ selection: Selection? = nil) -> Step.Listening {
        defer { slots += 1 }
        return Step.Listening(
            slot: slots, selection: selection ?? self.selection(),
            isolation: random.pick(weighted: [
                (6, .nobody), (1, .main), (1, .screen(random.below(2))),
            ]),
            initially: random.oneIn(3), reaction: random.oneIn(4) ? reaction() : .nothing)
    }

    private mutating func reaction() -> Step.Listening.Reaction {
        random.pick(weighted: [
            (4, .dispatch(deed(), 1 + random.below(2))), (1, .batch(deed(), 1)), (2, .cancelSelf),
            (2, .cancel(slot())), (2, .subscribe(selection())), (1, .read), (1, .idleInTask),
            (
                interests.contains { $0.1 == .checks } ? 4 : 0,
                .claim(Claiming(serial: number(), weight: 0))
            ),
        ])
    }

    private mutating func plan() -> EffectPlan {
        serial += 1
        let steps: [EffectPlan.Step] = (0..<(1 + random.below(3))).map { _ in
            random.pick(weighted: [
                (5, .answer), (2, .sleep(random.pick([1, 4]))), (2, .yield),
                (usesIdle ? 2 : 0, .idle), (1, .fail),
                (1, .read),
            ])
        }
        return EffectPlan(
            serial: serial, id: random.oneIn(2) ? nil : random.below(2), hasOddID: isOdd,
            policy: random.pick([.concurrent, .latest, .dropping, .queue]),
            timing: random.oneIn(6) ? .debounce(3) : .none,
            wrap: random.pick(weighted: [
                (6, .none), (1, .timeout(3)), (1, .retry), (1, .repeated(2)), (1, .sequence),
                (1, .merge),
            ]),
            steps: steps)
    }
}
