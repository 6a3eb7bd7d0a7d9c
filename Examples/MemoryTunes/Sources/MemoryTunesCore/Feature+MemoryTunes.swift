// SPDX-License-Identifier: MIT

public import Onward
import OnwardNavigation

/// The rules of the game as a feature.
let rules = Feature<Game> {
    Reduce { (game: inout Game, action: GameAction) in game.apply(action) }
    Reduce { (game: inout Game, event: GameEvent) in game.apply(event) }
}

/// The choice of a category as a feature.
let choice = Feature<Categories> {
    Reduce { (categories: inout Categories, action: CategoriesAction) in
        switch action {
        case .choose(let category): categories.current = category
        }
    }
}

/// What actions do to the state, without what goes on outside: enough to run a recorded session again.
public let memoryTunesReducers = Feature<MemoryTunes> {
    Scope(\.routing, TabNavigation<Screen>())
    Scope(\.categories, choice)
    Scope(\.game, rules)
}

/// The app as a feature.
///
/// - Parameter covers: Finds covers of a category, maybe the app's own; throws ``Problem``.
/// - Returns: The feature, for a store per player.
public func memoryTunes(
    covers: @escaping @Sendable (Category) async throws -> (covers: [Cover], isOwn: Bool)
) -> Feature<MemoryTunes> {
    Feature {
        memoryTunesReducers
        While(\.isGameDue) { _, context in
            let state = context.current
            context.dispatch(
                GameAction.start(category: state.categories.current, tab: state.tabAtGame))
        }
        While(\.awaited, id: "covers") { number, context in
            let found = try await covers(context.current.game.category)
            let seed = context.random.next()
            context.dispatch(
                GameEvent.dealt(
                    game: number, covers: found.covers, isOwn: found.isOwn, seed: seed))
        } catching: { number, error, context in
            let problem = error as? Problem ?? .unreachable
            context.dispatch(GameEvent.failed(game: number, problem: problem))
        }
        While(\.isClockRunning, id: "clock") { _, context in
            for await _ in context.clock.ticks(every: .seconds(1)) {
                context.dispatch(GameEvent.tick)
            }
        }
    }
}
