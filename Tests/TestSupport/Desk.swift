// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting

/// A state whose effects the tests watch.
struct Desk: Equatable, Sendable {
    var notified: [String] = []
    var isOpen = false
    var channel: Int?
    var drawer: Drawer?
    var left = Drawer()
    var right = Drawer()
    var trays: EntityTable<Tray> = []
    var plain: [Tray] = []
}

struct Drawer: Equatable, Sendable {
    var notified: [String] = []
    var isOpen = false
    var channel: Int?
}

struct Tray: Equatable, Sendable, Identifiable {
    let id: Int
    var notified: [String] = []
    var channel: Int?
}

/// What the tests dispatch: `say` starts whatever the test's feature answers.
enum DeskAction: Action, Equatable {
    case say(String)
    case notified(String)
    case open(Bool)
    case tune(Int?)
    case put(Drawer?)
    case add(Int)
    case remove(Int)
    case replace(Int)
    case refill([Int])
}

enum DrawerAction: Action, Equatable {
    case say(String)
    case notified(String)
    case tune(Int?)
}

let desk = Feature<Desk> {
    Reduce { (desk: inout Desk, action: DeskAction) in
        switch action {
        case .say: break
        case .notified(let text): desk.notified.append(text)
        case .open(let isOpen): desk.isOpen = isOpen
        case .tune(let channel): desk.channel = channel
        case .put(let drawer): desk.drawer = drawer
        case .add(let id):
            desk.trays.append(Tray(id: id))
            desk.plain.append(Tray(id: id))
        case .remove(let id):
            desk.trays.remove(id: id)
            desk.plain.removeAll { $0.id == id }
        case .replace(let id):
            desk.trays.remove(id: id)
            desk.trays.append(Tray(id: id))
        case .refill(let ids):
            desk.trays.removeAll()
            for id in ids { desk.trays.append(Tray(id: id)) }
        }
    }
}

let drawer = Feature<Drawer> {
    Reduce { (drawer: inout Drawer, action: DrawerAction) in
        switch action {
        case .say: break
        case .notified(let text): drawer.notified.append(text)
        case .tune(let channel): drawer.channel = channel
        }
    }
}

let tray = Feature<Tray> {
    Reduce { (tray: inout Tray, action: DrawerAction) in
        switch action {
        case .say: break
        case .notified(let text): tray.notified.append(text)
        case .tune(let channel): tray.channel = channel
        }
    }
}

/// A desk that answers what it is asked with effects.
func makeDesk(
    _ state: Desk = Desk(), options: StoreOptions = StoreOptions(),
    _ answer: @escaping @Sendable (String, EffectContext<Desk>) -> Effect
) -> Store<Desk> {
    Store(state, options: options) {
        desk
        OnAction { (action: DeskAction, context) -> Effect in
            guard case .say(let text) = action else { return .none }
            return answer(text, context)
        }
    }
}

/// A point that effects wait at until a test lets them go on.
///
/// Like much of the world, it does not heed cancellation: an effect waits until it is opened.
final class Barrier: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var arrivals = 0
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Guarded(State())

    /// Waits until the barrier is open.
    func pass() async {
        await withCheckedContinuation { continuation in
            let (isOpen, served) = state.withValue { state in
                state.arrivals += 1
                let arrivals = state.arrivals
                let served = state.watchers.filter { $0.count <= arrivals }
                state.watchers.removeAll { $0.count <= arrivals }
                if !state.isOpen { state.waiting.append(continuation) }
                return (state.isOpen, served)
            }
            if isOpen { continuation.resume() }
            for watcher in served { watcher.continuation.resume() }
        }
    }

    /// Lets all effects go on, now and later.
    func open() {
        let waiting = state.withValue { state in
            defer { state.waiting = [] }
            state.isOpen = true
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until `count` effects have come to the barrier.
    func arrivals(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withValue { state in
                if state.arrivals >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}

/// Collects the failures of effects.
final class Failures: Sendable {
    private let log = Log<EffectFailure>()
    private let stream = AsyncStream.makeStream(of: EffectFailure.self)

    var all: [EffectFailure] { log.all }

    func options(clock: any Clock<Duration> = ContinuousClock()) -> StoreOptions {
        StoreOptions(
            clock: clock,
            effectError: { [log, stream] failure in
                log.append(failure)
                stream.continuation.yield(failure)
            })
    }

    /// Waits for the first failure.
    func first() async -> EffectFailure? {
        await stream.stream.first { _ in true }
    }
}

struct Broken: Error, Equatable {
    var number = 1
}
