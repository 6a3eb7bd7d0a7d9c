// SPDX-License-Identifier: MIT
#if Server

internal import Onward
internal import OnwardInspection

/// A store that moves from one moment to the next by itself, up to the newest.
struct Playback: Sendable, Hashable {
    /// How long each moment is shown.
    enum Speed: String, Sendable, Hashable, Codable, CaseIterable {
        /// Half a second.
        case single = "1"
        /// A quarter of a second.
        case double = "2"
        /// As long as when it was recorded, at most a minute.
        case recorded = "live"
    }

    let store: String
    let speed: Speed

    /// The time until the next moment; nil at the end.
    func wait(in log: any InspectedLog) -> Duration? {
        let summary = log.summary
        guard !summary.isAtEnd else { return nil }
        switch speed {
        case .single: return .milliseconds(500)
        case .double: return .milliseconds(250)
        case .recorded:
            guard summary.cursor > 0 else { return .zero }
            var query = EntryQuery()
            query.start = .after(summary.cursor)
            query.limit = 1
            let delta = log.entries(query).entries.first?.delta ?? 0
            return .nanoseconds(min(max(delta, 0), 60_000_000_000))
        }
    }
}

/// Makes a store play by itself, from the beginning if it shows its newest moment.
struct Play: Action, Decodable {
    let store: String
    let speed: Playback.Speed
}

/// Stops playing.
struct StopPlaying: Action, Decodable {}

/// Starts, stops and performs a playback.
func playing(of stores: StoreList) -> Feature<InspectorState> {
    Feature {
        Reduce { (state: inout InspectorState, play: Play) in
            state.playback = Playback(store: play.store, speed: play.speed)
        }
        Reduce { (state: inout InspectorState, _: StopPlaying) in state.playback = nil }
        Reduce { (state: inout InspectorState, steer: Steer) in
            // Whoever moves the slider wants it to stay there.
            if state.playback?.store == steer.store { state.playback = nil }
        }
        While(\.playback) { playback, context in
            guard let store = stores[playback.store] else {
                context.dispatch(StopPlaying())
                return
            }
            if store.summary.isAtEnd { try? store.perform(.jump(moment: 0)) }
            context.dispatch(stores.look(for: context.current))
            while let wait = playback.wait(in: store.log) {
                try await context.clock.sleep(for: wait)
                do {
                    try store.perform(.step(by: 1))
                } catch {
                    break
                }
                context.dispatch(stores.look(for: context.current))
            }
            context.dispatch(StopPlaying())
        }
    }
}
#endif
