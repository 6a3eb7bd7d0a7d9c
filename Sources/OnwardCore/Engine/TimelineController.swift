// SPDX-License-Identifier: MIT

/// What an attached timeline can do with its store; any thread may use it.
///
/// Releasing it changes nothing: the timeline is asked until ``leave()``, or until the store ends.
public struct TimelineController<State: Sendable>: Sendable {
    private let engine: Engine
    private let timeline: AnyTimeline

    init(engine: Engine, timeline: AnyTimeline) {
        self.engine = engine
        self.timeline = timeline
    }

    /// Makes the store show a state: a commit with a new, higher version and an entry of the kind
    /// `.travel`.
    ///
    /// Subscribers are told of what is different. From here on the timeline counts as travelled: no work
    /// for the state starts, and work that the state keeps alive pauses, until the store goes live again,
    /// which it does when none of its timelines is travelled any more.
    ///
    /// - Parameters:
    ///   - state: What to show.
    ///   - isLive: Whether the store goes live from this state, with all its work: for the way back from
    ///     travelling, for undoing, for a state that was imported.
    ///   - file: The source file, for the entry.
    ///   - line: The source line, for the entry.
    ///   - isolation: The actor that the caller runs on; its subscribers are called at once.
    /// - Returns: the version; nil when this timeline has left or the store was shut down.
    @discardableResult
    public func install(
        _ state: State, resuming isLive: Bool = false, file: String = #fileID, line: Int = #line,
        isolation: (any Actor)? = #isolation
    ) -> Version? {
        withUnsafePointer(to: state) { pointer in
            engine.install(
                UnsafeRawPointer(pointer), resuming: isLive, by: timeline,
                from: Origin(file: file, line: line), on: isolation)
        }
    }

    /// Makes the work for the state stand still while the timeline withholds without installing a state:
    /// nothing starts, and work that a piece of state keeps alive pauses.
    ///
    /// The store asks again about actions that were accepted and not committed yet.
    public func pause(isolation: (any Actor)? = #isolation) {
        engine.reconsider(timeline, .travelled, on: isolation)
    }

    /// Makes the store live again from the state it shows, as far as this timeline is concerned: what
    /// stood still starts again.
    ///
    /// Leaving does the same.
    public func resume(isolation: (any Actor)? = #isolation) {
        engine.reconsider(timeline, .live, on: isolation)
    }

    /// Makes the store ask again about actions that were accepted and not committed yet.
    ///
    /// Call it when the timeline starts to withhold without installing a state.
    public func reconsider() {
        engine.reconsider(timeline)
    }

    /// Whether this timeline steers the store: not once it has left or the store was shut down.
    public var isAttached: Bool {
        engine.whole { $0.state.timelines.contains(timeline) && !$0.state.isClosed }
    }

    /// Leaves the store as it is, and is no longer asked.
    public func leave() {
        engine.remove(timeline)
    }
}

/// An attached timeline without its type.
final class AnyTimeline: Sendable {
    let decide: @Sendable (PendingCommit) -> TimelineDecision

    init<T: Timeline>(_ timeline: T) {
        decide = { timeline.decide($0) }
    }
}
