// SPDX-License-Identifier: MIT

import Foundation
import InspectedShop
import Onward
import OnwardInspection

/// Measures how long an app stands still while its inspector answers, for `scripts/measure-stalls`.
///
/// A shop with so many entries dispatches from a thread, and has a task that wakes up every
/// millisecond. The longest dispatch and the latest awakening are printed: first with nobody asking,
/// then under ten questions at once, each of which looks at everything that there is.
enum Stalls {
    private static let questions = [
        "entries?text=nowhere", "entries?changed=1&text=nowhere", "who?path=cart.total&limit=1000",
        "who?path=nowhere", "diff?from=1", "state?find=nowhere", "state?whole=1",
        "test", "test?shortest=1&path=visits", "file",
    ]

    static func measure(entries: Int) async {
        let shop = makeShop()
        let stores = StoreList()
        let name = stores.attach(shop, as: "shop", limit: 1_000_000)
        for id in 0..<entries { shop.dispatch(CartAction.add(id: id, name: "Pear", price: 1)) }
        shop.dispatch(Visit())
        let interface = InspectorInterface(stores: stores)
        say("entries \(entries)")
        await report("nobody asks", shop) { try? await Task.sleep(for: .seconds(5)) }
        await report("ten questions", shop) {
            await withTaskGroup { group in
                for question in questions {
                    group.addTask {
                        let begun = ContinuousClock.now
                        let reply = await interface.answer(
                            InspectorRequest(.get, "stores/\(name)/\(question)"))
                        let seconds = begun.duration(to: .now).components.seconds
                        say(
                            "  \(question): status \(reply.status), \(reply.bytes.count) bytes, \(seconds) s"
                        )
                    }
                }
            }
        }
    }

    /// Dispatches while something is done, and prints the longest pauses.
    private static func report(
        _ title: String, _ shop: Store<Shop>, _ work: @Sendable () async -> Void
    ) async {
        let isOver = Guarded(false)
        let dispatches = Guarded<[Duration]>([])
        let (ended, end) = AsyncStream<Void>.makeStream()
        Thread.detachNewThread {
            while !isOver.withValue({ $0 }) {
                let begun = ContinuousClock.now
                shop.dispatch(Visit())
                let time = begun.duration(to: .now)
                dispatches.withValue { $0.append(time) }
                usleep(1_000)
            }
            end.finish()
        }
        let ticks = Task {
            var latest = Duration.zero
            while !Task.isCancelled {
                let begun = ContinuousClock.now
                try? await Task.sleep(for: .milliseconds(1))
                latest = max(latest, begun.duration(to: .now))
            }
            return latest
        }
        await work()
        isOver.withValue { $0 = true }
        ticks.cancel()
        let latest = await ticks.value
        for await _ in ended {}
        let sorted = dispatches.withValue { $0 }.sorted()
        guard let longest = sorted.last else { return }
        say(
            "\(title): \(sorted.count) dispatches, longest \(longest.text), 99.9 % \(sorted[sorted.count * 999 / 1_000].text), latest task \(latest.text)"
        )
    }

    private static func say(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
}

extension Duration {
    fileprivate var text: String {
        let microseconds =
            components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
        return "\(microseconds / 1_000).\(microseconds % 1_000 / 100) ms"
    }
}
