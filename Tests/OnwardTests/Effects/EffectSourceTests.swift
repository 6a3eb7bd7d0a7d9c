// SPDX-License-Identifier: MIT

import Foundation
import Onward
import Testing

@testable import TestSupport

@Suite struct EffectSourceTests {
    @Test
    func `a seeded source gives the same numbers in every run`() {
        let source = RandomSource(seed: 7)
        // The first outputs of SplitMix64 with this seed, as its authors' program prints them.
        #expect(source.next() == 7_191_089_600_892_374_487)
        let copy = source
        #expect(copy.next() != RandomSource(seed: 7).next())
        #expect(RandomSource().next() != RandomSource().next())
    }

    @Test
    func `stores that are made of the same options share no ids and no numbers`() async {
        let log = Log<String>()
        let options = StoreOptions(clock: ContinuousClock())
        for _ in 0..<2 {
            let store = makeDesk(options: options) { _, context in
                .run { log.append("\(context.ids.next()) \(context.random.next())") }
            }
            await store.run(DeskAction.say("a"))
        }
        let parts = log.all.flatMap { $0.split(separator: " ") }
        #expect(parts.count == 4 && Set(parts).count == 4)
    }

    @Test
    func `an effect's numbers depend on the seed, the entry and the instance, not on others`() async
    {
        func numbers(seed: UInt64, noise: Int) async -> [UInt64] {
            let log = Log<UInt64>()
            let options = StoreOptions(random: RandomSource(seed: seed), ids: IDSource(seed: seed))
            let store = makeDesk(options: options) { text, context in
                .run {
                    if text == "noise" {
                        for _ in 0..<noise { _ = context.random.next() }
                    } else {
                        log.append(context.random.next())
                        log.append(context.random.next())
                        log.append(UInt64(context.ids.next().description.utf8.count))
                    }
                }
            }
            await store.run(DeskAction.say("noise"))
            await store.run(DeskAction.say("a"))
            await store.run(DeskAction.say("b"))
            return log.all
        }
        let first = await numbers(seed: 1, noise: 0)
        #expect(first.count == 6 && Set(first).count == 5)
        #expect(await numbers(seed: 1, noise: 9) == first)
        #expect(await numbers(seed: 2, noise: 0) != first)
    }

    @Test
    func `numbers that an answer takes are its own, whether or not it has an effect`() {
        func numbers(noise: [String]) -> [UInt64] {
            let log = Log<UInt64>()
            let options = StoreOptions(random: RandomSource(seed: 1), ids: IDSource(seed: 1))
            let store = makeDesk(options: options) { text, context in
                log.append(context.random.next())
                return text == "run" ? .run {} : .none
            }
            for text in noise + ["none"] { store.dispatch(DeskAction.say(text)) }
            return log.all
        }
        let first = numbers(noise: ["none", "none"])
        #expect(Set(first).count == 3)
        #expect(numbers(noise: ["run", "none"]) == first)
    }

    @Test
    func `ids are UUIDs of version 4, the same ones for the same seed`() throws {
        let (one, same) = (IDSource(seed: 7), IDSource(seed: 7))
        var seen: Set<UniqueID> = []
        for _ in 0..<1_000 {
            let id = one.next()
            #expect(same.next() == id)
            seen.insert(id)
            let text = id.description
            #expect(UUID(uuidString: text)?.uuidString.lowercased() == text)
            #expect(text[text.index(text.startIndex, offsetBy: 14)] == "4")
            #expect("89ab".contains(text[text.index(text.startIndex, offsetBy: 19)]))
            #expect(UniqueID(text) == id)
            #expect(UniqueID(text.uppercased()) == id)
        }
        #expect(seen.count == 1_000)
    }

    @Test(arguments: [
        "", "x", "00000000-0000-4000-8000-00000000000", "00000000-0000-4000-8000-00000000000g",
        "0000000000004000800000000000000000000", "00000000-0000-4000-8000-0000000000000",
        "+0000000-0000-4000-8000-000000000000", "00000000-0000-4000-8000-0000000000é",
    ])
    func `other texts are no ids`(_ text: String) throws {
        #expect(UniqueID(text) == nil)
        let json = try JSONEncoder().encode([text])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([UniqueID].self, from: json)
        }
    }

    @Test
    func `an id is written as its text`() throws {
        let id = IDSource(seed: 1).next()
        let json = try JSONEncoder().encode([id])
        #expect(String(decoding: json, as: UTF8.self) == "[\"\(id)\"]")
        #expect(try JSONDecoder().decode([UniqueID].self, from: json) == [id])
    }

    @Test
    func `an effect reads the store's wall clock`() async {
        let moments = Log<Timestamp>()
        let store = makeDesk(
            options: StoreOptions(wallClock: { Timestamp(nanosecondsSince1970: 7) })
        ) { _, context in .run { moments.append(context.now) } }
        await store.run(DeskAction.say("a"))
        #expect(moments.all == [Timestamp(nanosecondsSince1970: 7)])
    }
}
