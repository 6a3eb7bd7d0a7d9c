// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardTesting
import Testing

@testable import OnwardJournal

/// Values are saved at once, before a store ends.
struct FlushSavingTests {
    struct App: Equatable, Sendable {
        var first = 0
        var second = 0
    }
    enum AppAction: Action { case first(Int), second(Int) }

    private final class Memory: ValueStorage {
        let contents = Guarded<[UInt8]?>(nil)
        let isFull = Guarded(false)
        var durability: Durability { .written }
        func read() throws -> [UInt8]? { contents.withValue { $0 } }
        func write(_ bytes: [UInt8]) throws {
            if isFull.withValue({ $0 }) { throw SavingError(.unwritable, "The disk is full.") }
            contents.withValue { $0 = bytes }
        }
        var value: Int? {
            contents.withValue { $0 }.flatMap {
                try? DataFormat.json.value(of: $0)["value"]?.integer()
            }
        }
    }

    private let one = Memory()
    private let other = Memory()
    private let reports = Guarded<[SavingError]>([])

    private func makeStore() -> Store<App> {
        let reports = reports
        // Its clock stands still: nothing is saved after a moment.
        return Store(App(), options: StoreOptions(clock: ManualClock())) {
            Reduce { (app: inout App, action: AppAction) in
                switch action {
                case .first(let number): app.first = number
                case .second(let number): app.second = number
                }
            }
            Saving(\.first, in: one) { error in reports.withValue { $0.append(error) } }
            Saving(\.second, in: other) { error in reports.withValue { $0.append(error) } }
        }
    }

    @Test func `everything that was dispatched before is saved when it returns`() async throws {
        let store = makeStore()
        try await store.flush()
        #expect(one.value == nil && other.value == nil)
        for number in 1...20 {
            store.dispatch(AppAction.first(number))
            try await store.flush()
            #expect(one.value == number)
        }
        store.dispatch(AppAction.second(7))
        try await store.flush()
        #expect(one.value == 20 && other.value == 7)
        await store.shutdown()
    }

    @Test func `what another thread has still to notify is included`() async throws {
        let store = makeStore()
        let (steps, step) = AsyncStream.makeStream(of: Void.self)
        let isBlocked = DispatchSemaphore(value: 0)
        // A thread is held in the middle of a delivery.
        let token = store.subscribe(\.second) { _, _ in
            step.yield()
            isBlocked.wait()
        }
        Thread.detachNewThread { store.dispatch(AppAction.second(1)) }
        for await _ in steps { break }
        store.dispatch(AppAction.first(5))
        async let flushed: Void = store.flush()
        isBlocked.signal()
        try await flushed
        #expect(one.value == 5 && other.value == 1)
        token.cancel()
        await store.shutdown()
    }

    @Test func `says what could not be saved, saves the others, and tries again`() async throws {
        let store = makeStore()
        store.dispatch(AppAction.first(1))
        store.dispatch(AppAction.second(2))
        one.isFull.withValue { $0 = true }
        await #expect {
            try await store.flush()
        } throws: {
            ($0 as? DurabilityError)?.underlying as? SavingError
                == SavingError(.unwritable, "The disk is full.")
        }
        #expect(one.value == nil && other.value == 2)
        #expect(reports.withValue { $0 } == [])
        one.isFull.withValue { $0 = false }
        try await store.flush()
        #expect(one.value == 1)
        await store.shutdown()
    }

    @Test func `what was deleted since it was saved isn't said to be there`() async throws {
        let store = makeStore()
        store.dispatch(AppAction.first(1))
        try await store.flush()
        one.contents.withValue { $0 = nil }
        await #expect {
            try await store.flush()
        } throws: {
            "\($0)".contains("is gone")
        }
        store.dispatch(AppAction.first(2))
        try await store.flush()
        #expect(one.value == 2)
        await store.shutdown()
    }

    @Test func `a store that has ended still saves what it could not`() async throws {
        let store = makeStore()
        store.dispatch(AppAction.first(1))
        one.isFull.withValue { $0 = true }
        await store.shutdown()
        #expect(one.value == nil && reports.withValue { $0.count } == 1)
        one.isFull.withValue { $0 = false }
        try await store.flush()
        #expect(one.value == 1)
    }

    @Test func `a value is flushed alone, and keeps no store alive`() async throws {
        let saved = SavedValue<Int>(in: one)
        _ = try saved.load()
        weak var engine: AnyObject?
        do {
            let store = Store(App()) {
                Reduce { (app: inout App, action: AppAction) in
                    if case .first(let number) = action { app.first = number }
                }
                Saving(\.first, as: saved)
            }
            engine = store.engine
            store.dispatch(AppAction.first(3))
            try await saved.flush()
            #expect(one.value == 3)
            await store.shutdown()
        }
        #expect(engine == nil)
        try await saved.flush()
    }
}
