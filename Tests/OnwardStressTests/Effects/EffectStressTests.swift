// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import TestSupport

@Suite(.timeLimit(.minutes(5))) struct EffectStressTests {
    @Test
    func `effects that come, go and cancel each other on many threads are all over in the end`()
        async
    {
        let alive = Log<Int>()
        let results = Log<DispatchResult>()
        let store = Store(Desk()) {
            desk
            OnAction { (action: DeskAction, context) -> Effect in
                guard case .say(let text) = action, let number = Int(text) else { return .none }
                let policies: [EffectPolicy] = [.concurrent, .latest, .dropping, .queue]
                if number % 11 == 0 { return .cancel(id: "\(number % 4)") }
                return .run(id: "\(number % 4)", policies[number % 4]) {
                    alive.append(1)
                    await Task.yield()
                    results.append(context.dispatch(DeskAction.tune(number % 3)))
                    alive.append(-1)
                }
            }
            While(\.channel) { _, _ in
                alive.append(1)
                await Task.yield()
                alive.append(-1)
            }
            Scope(
                each: \.trays,
                Feature<Tray> {
                    tray
                    OnAction { (action: DrawerAction, context) -> Effect in
                        .run {
                            alive.append(1)
                            await Task.yield()
                            results.append(context.dispatch(DrawerAction.notified("x")))
                            alive.append(-1)
                        }
                    }
                    While(\.channel) { _, context in
                        alive.append(1)
                        await Task.yield()
                        _ = context.current.id
                        alive.append(-1)
                    }
                })
        }
        let count = scaled(200)
        onThreads(4) { thread in
            for number in 0..<count {
                store.dispatch(DeskAction.say("\(number)"))
                let id = thread * 10 + number % 5
                let row = Address("trays/#\(id)") ?? .root
                switch number % 3 {
                case 0:
                    if store.state.trays[id: id] == nil { store.dispatch(DeskAction.add(id)) }
                case 1: store.dispatch(DrawerAction.tune(number), to: row)
                default: store.dispatch(DeskAction.remove(id))
                }
                _ = store.diagnostics.runningEffects.count
            }
        }
        await store.waitUntilIdle()
        await store.shutdown()
        #expect(store.diagnostics.runningEffects.isEmpty)
        #expect(alive.all.reduce(0, +) == 0)
        #expect(results.all.contains(.refused(.expired)) || !results.all.isEmpty)
    }

    @Test
    func `stores that end while their effects run leave none alive`() async {
        let alive = Log<Int>()
        for _ in 0..<scaled(50) {
            let store = makeDesk(Desk(isOpen: true)) { text, context in
                .run {
                    alive.append(1)
                    for _ in 0..<3 {
                        await Task.yield()
                        context.dispatch(DeskAction.notified(text))
                    }
                    alive.append(-1)
                }
            }
            onThreads(2) { _ in for _ in 0..<5 { store.dispatch(DeskAction.say("x")) } }
            async let one = store.shutdown()
            async let two = store.shutdown()
            _ = await (one, two)
            #expect(store.diagnostics.runningEffects.isEmpty)
        }
        #expect(alive.all.reduce(0, +) == 0)
    }

    @Test
    func `features that were replaced together stay together when several threads replace them`()
        async
    {
        let store = Store(Desk(isOpen: true)) { desk }
        for _ in 0..<scaled(300) {
            onThreads(4) { thread in
                store.log.replaceFeatures {
                    Reduce { (desk: inout Desk, _: DeskAction) in desk.channel = thread }
                    While(\.isOpen, id: "\(thread)") { _, context in
                        try await context.clock.sleep(for: .seconds(1_000))
                    }
                }
            }
            store.dispatch(DeskAction.say("x"))
            // Those of programs that were replaced are cancelled, and end when they get a turn.
            while store.diagnostics.runningEffects.count > 1 { await Task.yield() }
            let names = store.diagnostics.runningEffects.map(\.id)
            #expect(names == [store.state.channel.map { "\($0)" }])
        }
        await store.shutdown()
    }
}
