// SPDX-License-Identifier: MIT

import Foundation
import MemoryTunesCore
import Onward
import OnwardNavigation
import SwiftUI
import Testing

@testable import MemoryTunesViews

/// What a reader of the screen finds and taps, drawn on the stubs of SwiftUI.
@MainActor @Suite struct MemoryTunesViewsTests {
    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "memorytunes-\(UUID().uuidString)")

    private func store(_ problem: Problem? = nil) -> Store<MemoryTunes> {
        memoryTunesStore(keptIn: folder, clock: StoppedClock()) { _ in
            if let problem { throw problem }
            return (Catalogue.own, true)
        }
    }

    /// A screen with a game that is dealt, where every view has been notified of that.
    private func playing(_ store: Store<MemoryTunes>) async throws -> DrawnScreen {
        let screen = DrawnScreen(MemoryTunesWindow(store: store))
        #expect(screen.tap("New game"))
        _ = screen.labels  // the game is shown, so its clock runs
        _ = try await store.wait { $0.game.isPlaying }
        // The state may be there before it was notified: then what is drawn now would be outdated once more.
        await store.log.waitUntilNotified(of: store.log.version)
        return screen
    }

    /// The places of the cards, each pair beside each other.
    private func pairs(_ store: Store<MemoryTunes>) -> [[Card]] {
        Dictionary(grouping: store.state.game.cards, by: \.cover.address)
            .sorted { $0.key < $1.key }.map(\.value)
    }

    private func place(_ card: Card) -> String {
        "Row \(card.id / 4 + 1), column \(card.id % 4 + 1): closed"
    }

    @Test func `a game is played to its end through the views, and another one begins`()
        async throws
    {
        let store = store()
        let screen = try await playing(store)
        #expect(screen.labels.contains("0 moves"))
        #expect(screen.labels.count { $0.hasSuffix(": closed") } == 16)

        for pair in pairs(store) {
            for card in pair { #expect(screen.tap(place(card))) }
        }
        #expect(screen.labels.contains("8 moves"))
        #expect(screen.labels.contains("All pairs found!"))
        #expect(screen.labels.contains { $0.hasPrefix("8 moves in 0:0") })

        #expect(screen.tap("Done"))
        #expect(!screen.labels.contains("All pairs found!"))
        #expect(screen.tap("New game"))
        _ = try await store.wait { $0.game.isPlaying }
        #expect(store.state.game.number == 2)
        #expect(screen.labels.contains("0 of 8 pairs"))
        await store.shutdown()
    }

    @Test func `a flip draws the card that it opens, and a move the score`() async throws {
        let store = store()
        let screen = try await playing(store)
        let pair = try #require(pairs(store).first)
        _ = screen.labels
        #expect(screen.outdated == [])
        store.dispatch(GameAction.flip(card: pair[0].id))
        #expect(screen.outdated == ["CardView"])
        _ = screen.labels
        store.dispatch(GameAction.flip(card: pair[1].id))
        #expect(screen.outdated == ["CardView", "CardView", "MenuView", "Score"])
        _ = screen.labels
        store.dispatch(GameEvent.tick)
        #expect(screen.outdated == ["Clock"])
        await store.shutdown()
    }

    @Test func `the category that is chosen is the next game's`() async throws {
        let store = store()
        let screen = DrawnScreen(MemoryTunesWindow(store: store))
        #expect(screen.tap("Music: Pop"))
        #expect(screen.elements.filter(\.isSelected).map(\.label) == ["Pop"])
        #expect(screen.tap("Metal"))
        #expect(screen.elements.filter(\.isSelected).map(\.label) == ["Metal"])
        #expect(screen.tap("Back"))
        #expect(screen.labels.contains("Music: Metal"))
        #expect(screen.tap("New game"))
        #expect(store.state.game.category == .metal)
        await store.shutdown()
    }

    @Test func `a game that was left is gone on with, and is there again at the next launch`()
        async throws
    {
        let first = store()
        let screen = try await playing(first)
        let pair = try #require(pairs(first).first)
        for card in pair { screen.tap(place(card)) }
        #expect(screen.tap("Back"))
        #expect(screen.labels.contains("Go on: 1 of 8 pairs"))
        await first.shutdown()

        let second = store()
        let again = DrawnScreen(MemoryTunesWindow(store: second))
        #expect(again.tap("Go on: 1 of 8 pairs"))
        #expect(again.labels.count { $0.contains(": found, ") } == 2)
        await second.shutdown()
        try FileManager.default.removeItem(at: folder)
    }

    @Test func `two windows show one game, each at its own screen`() async throws {
        let store = store()
        let left = try await playing(store)
        let right = DrawnScreen(MemoryTunesWindow(store: store))
        #expect(right.labels.contains("Go on: 0 of 8 pairs"))
        let pair = try #require(pairs(store).first)
        for card in pair { left.tap(place(card)) }
        #expect(right.labels.contains("Go on: 1 of 8 pairs"))
        #expect(store.state.routing.open.count == 2)
        await store.shutdown()
    }

    @Test func `what went wrong is said, and can be tried again`() async throws {
        let store = store(.timedOut)
        let screen = DrawnScreen(MemoryTunesWindow(store: store))
        screen.tap("New game")
        _ = screen.labels
        _ = try await store.wait { $0.game.deal.failure != nil }
        #expect(screen.labels.contains("The catalogue took too long to answer."))
        #expect(screen.tap("Try again"))
        #expect(store.state.game.number == 2)
        await store.shutdown()
    }
}

/// A clock on which no second passes: a tick comes when a test dispatches it.
private struct StoppedClock: Clock {
    let now = ContinuousClock.now
    let minimumResolution = Duration.zero

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        for await _ in AsyncStream<Never>.makeStream().stream {}
        try Task.checkCancellation()
    }
}
