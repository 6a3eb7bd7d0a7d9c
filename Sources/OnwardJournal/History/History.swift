// SPDX-License-Identifier: MIT

public import Onward

/// The log of a store in memory, with a cursor: jump, step, skip, reorder, lock, pause.
///
/// ```swift
/// let history = History(of: store)
/// history.jump(to: 3)       // the store shows the state after the third action
/// history.toggle(2)         // … as if the second one had never happened
/// history.jumpToEnd()       // and lives on
/// ```
///
/// While the newest moment is shown, the store runs as usual and each action is recorded. At any other
/// moment it stands still: actions are recorded at the end of the log and change nothing that is shown, and
/// effects don't start. Each jump installs a state, which is a commit of the kind `.travel`, so
/// subscribers see versions that only grow.
///
/// A history uses the two public extension points of a store, as an observer and as its gate. All functions may be
/// called from any thread, and by subscribers. They return at once where another thread, or a caller further
/// out, is already installing a state; that one installs the newest.
public final class History<State: Sendable>: Sendable {
    private let core: HistoryCore<State>

    /// Begins to record a store.
    ///
    /// - Parameters:
    ///   - store: The store of a whole app.
    ///   - limit: The most entries; older ones are folded into the base.
    ///   - spacing: How many entries lie between two kept states, at least.
    ///   - stateBytes: About how many bytes the kept states may take beside the base and the state that is shown, by
    ///     default 64 MiB; what they share counts once. States that take more are computed from the entries when they
    ///     are shown. See ``HistoryLog/keptBytes``.
    public init(
        of store: Store<State>, limit: Int = 100_000, spacing: Int = 1_024,
        stateBytes: Int = 64 << 20
    ) {
        core = HistoryCore(store, limit: limit, spacing: spacing, stateBytes: stateBytes)
    }

    deinit { core.leave() }

    /// The log as it is now; a value of its own, which computes states even once the store has gone.
    ///
    /// - Complexity: O(1); while it is kept, the next change of the log copies a few pages, however long it is.
    public var log: HistoryLog<State> { core.log }

    /// The state at an index, 0 for the base, without showing it; an index outside means the nearest.
    ///
    /// - Complexity: That of ``HistoryLog/state(at:)``; the states that it comes across are kept.
    public func state(at index: Int) -> State { core.state(at: index) }

    /// Changes the log and shows what its cursor then points at; what the named functions do.
    ///
    /// - Parameters:
    ///   - isolation: The actor that the caller runs on; its subscribers are called at once.
    ///   - change: Runs alone, and must not call the history or the store.
    /// - Returns: What `change` returns.
    /// - Complexity: That of the change, and of computing the state that is shown.
    @discardableResult
    public func perform<Result>(
        isolation: (any Actor)? = #isolation, _ change: (inout HistoryLog<State>) -> Result
    ) -> Result {
        core.change(on: isolation, change)
    }

    /// Whether the store shows what the cursor points at: not after ``leave()``, nor once the store was shut
    /// down or released, and never where another gate had the store before.
    public var isAttached: Bool { core.isAttached }

    /// Stops recording; the store continues from the state that it shows, and the log can still be read.
    public func leave() { core.leave() }
}

extension History {
    /// Shows the moment with an index, 0 for the base.
    ///
    /// - Returns: false, and nothing done, where there is none, or where the history is not attached.
    @discardableResult
    public func jump(to index: Int, isolation: (any Actor)? = #isolation) -> Bool {
        steer(on: isolation) { $0.jump(to: index) }
    }

    /// Shows the moment after an entry.
    ///
    /// - Returns: false, and nothing done, where there is none, or where the history is not attached.
    @discardableResult
    public func jump(toEntry id: Int, isolation: (any Actor)? = #isolation) -> Bool {
        steer(on: isolation) { $0.jump(toEntry: id) }
    }

    /// Shows the newest moment; the store goes live again.
    public func jumpToEnd(isolation: (any Actor)? = #isolation) {
        _ = steer(on: isolation) { $0.jump(to: $0.staged.count) }
    }

    /// Goes a number of moments forward, or back.
    ///
    /// - Returns: false, and nothing done, where there are not so many, or where the history is not attached.
    @discardableResult
    public func step(by distance: Int, isolation: (any Actor)? = #isolation) -> Bool {
        steer(on: isolation) { log in
            let (index, isOutside) = log.cursor.addingReportingOverflow(distance)
            return !isOutside && log.jump(to: index)
        }
    }

    /// Skips an entry, or has it run again.
    ///
    /// - Returns: false, and nothing done, where there is none, or where the history is not attached.
    @discardableResult
    public func toggle(_ id: Int, isolation: (any Actor)? = #isolation) -> Bool {
        steer(on: isolation) { $0.toggle(id) }
    }

    /// Goes from the cursor to the end, a moment at a time, on a clock.
    ///
    /// It ends early when the task is cancelled, or when other code moves the cursor.
    ///
    /// - Parameters:
    ///   - timing: How long each moment is shown.
    ///   - clock: The clock; a test's, or that of the store.
    public func play(
        _ timing: PlaybackTiming = .steady(.milliseconds(500)),
        on clock: any Clock<Duration> = ContinuousClock()
    ) async {
        var expected = log.cursor
        while let wait = wait(at: expected, timing) {
            guard (try? await clock.sleep(for: wait)) != nil else { return }
            let next = expected + 1
            let isMoved = steer(on: #isolation) { log in
                log.cursor == expected && log.jump(to: next)
            }
            guard isMoved else { return }
            expected = next
        }
    }

    /// How long to wait before the next moment; nil at the end, or where the cursor was moved.
    private func wait(at cursor: Int, _ timing: PlaybackTiming) -> Duration? {
        let log = log
        return log.cursor == cursor ? timing.wait(in: log) : nil
    }

    /// Changes what the store shows; false, and nothing done, where it would not show it.
    private func steer(
        on isolation: (any Actor)?, _ change: (inout HistoryLog<State>) -> Bool
    ) -> Bool {
        isAttached && perform(isolation: isolation, change)
    }
}
