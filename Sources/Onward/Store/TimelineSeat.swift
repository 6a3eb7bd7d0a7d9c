// SPDX-License-Identifier: MIT

/// What an attached timeline can do with its store; any thread may use it.
public struct TimelineSeat<State: Sendable>: Sendable {
    private let engine: Engine
    private let judge: TimelineJudge

    init(engine: Engine, judge: TimelineJudge) {
        self.engine = engine
        self.judge = judge
    }

    /// Makes the store show a state: a commit with a new, higher version and an entry of the kind
    /// `.travel`.
    ///
    /// Subscribers hear of what is different.
    ///
    /// - Returns: the version; nil when this timeline left its seat or the store was shut down.
    @discardableResult
    public func install(
        _ state: State, file: String = #fileID, line: Int = #line,
        isolation: (any Actor)? = #isolation
    ) -> Version? {
        withUnsafePointer(to: state) { pointer in
            engine.install(
                UnsafeRawPointer(pointer), by: judge, from: Origin(file: file, line: line),
                on: isolation)
        }
    }

    /// Makes the store ask again about actions that were accepted and not committed yet.
    ///
    /// To be called when the timeline starts to withhold without installing a state.
    public func reconsider() {
        engine.reconsider(judge)
    }

    /// Leaves the store as it is and frees the seat.
    public func leave() {
        engine.remove(judge)
    }
}

/// An attached timeline without its type.
final class TimelineJudge: Sendable {
    let judge: @Sendable (Proposal) -> Verdict

    init<T: Timeline>(_ timeline: T) {
        judge = { timeline.judge($0) }
    }
}
