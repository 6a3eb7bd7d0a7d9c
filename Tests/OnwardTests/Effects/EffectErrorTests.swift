// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import TestSupport

@Suite(.timeLimit(.minutes(5))) struct EffectErrorTests {
    @Test
    func `an error goes to the handler that the effect names, which may dispatch`() async {
        let failures = Failures()
        let store = makeDesk(options: failures.options()) { _, context in
            .run {
                throw Broken(number: 7)
            } catching: { error in
                context.dispatch(DeskAction.notified("\(error)"))
            }
        }
        store.dispatch(DeskAction.say("go"))
        await store.waitUntilIdle()
        #expect(store.state.notified == ["Broken(number: 7)"])
        #expect(failures.all.isEmpty)
    }

    @Test
    func `without a handler it goes to the store's, with what started the effect`() async {
        let failures = Failures()
        let store = makeDesk(options: failures.options()) { _, _ in
            .run(id: "covers", file: "Game/Game.swift", line: 12) { throw Broken(number: 7) }
        }
        store.dispatch(DeskAction.notified("-"))
        store.dispatch(DeskAction.say("go"))
        await store.waitUntilIdle()
        let failure = failures.all.first
        #expect(failures.all.count == 1)
        #expect(failure?.error as? Broken == Broken(number: 7))
        #expect(failure?.effect.id == "covers")
        #expect(failure?.effect.startedBy == 2)
        #expect(failure?.effect.action as? DeskAction == .say("go"))
        #expect(failure?.isAfterCancellation == false)
        #expect(
            failure?.description == """
                The effect "covers" at Game/Game.swift:12, started by DeskAction/say, version 2, \
                failed: Broken(number: 7)
                """)
    }

    @Test
    func `a cancelled effect has no error`() async {
        let failures = Failures()
        let handled = Log<String>()
        let clock = ManualClock()
        let store = makeDesk(options: failures.options(clock: clock)) { text, _ in
            if text == "stop" { return .cancel(id: "x") }
            return .run(id: "x") {
                try await clock.sleep(for: .seconds(1))
            } catching: { error in
                handled.append("\(error)")
            }
        }
        store.dispatch(DeskAction.say("go"))
        await clock.sleepers(1)
        store.dispatch(DeskAction.say("stop"))
        await store.waitUntilIdle()
        #expect(failures.all.isEmpty)
        #expect(handled.all.isEmpty)
    }

    @Test
    func `a cancellation error that no cancellation caused is an error`() async {
        let failures = Failures()
        let store = makeDesk(options: failures.options()) { _, _ in
            .run { throw CancellationError() }
        }
        store.dispatch(DeskAction.say("go"))
        await store.waitUntilIdle()
        #expect(failures.all.count == 1)
    }

    @Test
    func `another error after the cancellation is reported to the store as it is`() async {
        let failures = Failures()
        let handled = Log<String>()
        let barrier = Barrier()
        let store = makeDesk(options: failures.options()) { text, _ in
            if text == "stop" { return .cancel(id: "x") }
            return .run(id: "x") {
                await barrier.pass()
                throw Broken()
            } catching: { error in
                handled.append("\(error)")
            }
        }
        store.dispatch(DeskAction.say("go"))
        await barrier.arrivals(1)
        store.dispatch(DeskAction.say("stop"))
        barrier.open()
        await store.waitUntilIdle()
        #expect(failures.all.map(\.isAfterCancellation) == [true])
        #expect(failures.all.first?.description.contains("failed after it was cancelled:") == true)
        #expect(handled.all.isEmpty)
    }

    @Test
    func `an error ends a sequence and is notified once; a handled one does not end it`() async {
        let failures = Failures()
        let store = makeDesk(options: failures.options()) { text, context in
            .sequence(
                .run {
                    throw Broken(number: 1)
                } catching: { _ in
                    context.dispatch(DeskAction.notified("handled"))
                },
                .run(id: "second") { throw Broken(number: 2) },
                .dispatch(DeskAction.notified("never")))
        }
        store.dispatch(DeskAction.say("go"))
        await store.waitUntilIdle()
        #expect(store.state.notified == ["handled"])
        #expect(failures.all.map { $0.error as? Broken } == [Broken(number: 2)])
    }

    @Test
    func `merged effects inside a sequence report their errors each by itself`() async {
        let failures = Failures()
        let store = makeDesk(options: failures.options()) { text, context in
            .sequence(
                .merge(
                    .run { throw Broken(number: 1) }, .run { throw Broken(number: 2) },
                    .dispatch(DeskAction.notified("third"))),
                .dispatch(DeskAction.notified("never")))
        }
        store.dispatch(DeskAction.say("go"))
        await store.waitUntilIdle()
        #expect(store.state.notified == ["third"])
        #expect(failures.all.compactMap { ($0.error as? Broken)?.number }.sorted() == [1, 2])
    }

    @Test
    func `an error of a While goes to its handler, else to the store's`() async {
        let failures = Failures()
        let store = Store(Desk(), options: failures.options()) {
            desk
            While(\.isOpen) { _, _ in
                throw Broken(number: 1)
            } catching: { _, error, context in
                context.dispatch(DeskAction.notified("\(error)"))
            }
            While(\.channel, id: "channel") { _, _ in throw Broken(number: 2) }
        }
        store.dispatch(DeskAction.open(true))
        _ = try? await store.wait { $0.notified == ["Broken(number: 1)"] }
        store.dispatch(DeskAction.tune(5))
        _ = await failures.first()
        #expect(failures.all.map { $0.error as? Broken } == [Broken(number: 2)])
        #expect(failures.all.first?.effect.kind == .state)
        #expect(failures.all.first?.effect.startedBy == 3)
    }
}
