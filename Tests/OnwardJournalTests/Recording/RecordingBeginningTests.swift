// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardJournal

struct RecordingBeginningTests {
    private let journal = MemoryJournal()
    private let store = Store(Basket()) { basket }

    private func record(_ beginning: RecordingBeginning) async throws -> JournalRecorder<Basket> {
        try await JournalRecorder(
            of: store, into: journal, JournalCodec(for: store), beginning,
            options: RecordingOptions())
    }

    private func restored() async throws -> Basket {
        let fresh = Store(Basket()) { basket }
        return try await Replay.state(
            of: journal, startingWith: Basket(), by: fresh, JournalCodec(for: fresh)
        ).state
    }

    @Test func `what a restored store has done before its recording begins isn't lost`()
        async throws
    {
        let recorder = try await record(.restored(behind: 0))
        store.dispatch(BasketAction.add(name: "pear", price: 1))
        try await recorder.stop()
        // The next run restores it; something is dispatched at once.
        store.dispatch(BasketAction.add(name: "fig", price: 2))
        let next = try await record(.restored(behind: 1))
        store.dispatch(BasketAction.add(name: "plum", price: 3))
        try await next.stop()
        #expect(try await restored() == store.state)
        #expect(
            try journal.entries(from: 1, limit: .max).map(\.name)
                == ["BasketAction/add", "Recording/begin", "BasketAction/add"])
    }

    @Test func `a store in which nothing was done installs nothing`() async throws {
        let recorder = try await record(.restored(behind: 0))
        try await recorder.stop()
        #expect(try await journal.lastVersion() == 0)
    }

    @Test func `a reset state is installed, and the journal has to end where it was restored`()
        async throws
    {
        let recorder = try await record(.resetting(behind: 0))
        try await recorder.stop()
        #expect(try journal.entries(from: 1, limit: .max).map(\.name) == ["Recording/reset"])
        await #expect(throws: JournalError.self) { _ = try await record(.resetting(behind: 0)) }
    }
}
