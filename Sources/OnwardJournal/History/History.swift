// SPDX-License-Identifier: MIT

public import Onward

/// An in-memory log of a store, with a cursor: jump, step, skip, reorder, lock, pause.
///
/// ```swift
/// let history = History(of: store)
/// history.jump(to: 3)       // the store shows the state after the third action
/// history.toggle(2)         // … as if the second one had never happened
/// history.jumpToEnd()       // and lives on
/// ```
///
/// While the newest moment is shown, the store runs as usual and each action is recorded. At any
/// other moment the store stands still: actions are recorded at the end of the log without changing
/// what is shown, and effects don't start. Each jump installs a state, which is a commit of the
/// kind `.travel`, so the versions that subscribers see only grow.
///
/// The state that a synced store takes from its server is a part of the moment at which it came, and later
/// moments follow from it: skipping or moving entries before it changes nothing after it.
///
/// A history uses the two public extension points of a store: it is an observer and the store's
/// gate. All functions may be called from any thread, and by subscribers. If another thread, or a
/// caller further up the stack, is already installing a state, they return at once, and that caller
/// installs the newest state.
public final class History<State: Sendable>: Sendable {
    private let core: HistoryCore<State>

    /// Starts recording a store.
    ///
    /// - Parameters:
    ///   - store: The store of a whole app.
    ///   - limit: The maximum number of entries; older ones are folded into the base.
    ///   - spacing: The minimum number of entries between two kept states.
    ///   - stateBytes: About how many bytes the kept states may use in addition to the base and the
    ///     state that is shown, by default 64 MiB; memory that they share counts once. States
    ///     beyond that are computed from the entries when they are shown. See
    ///     ``HistoryLog/keptBytes``.
    public init(
        of store: Store<State>, limit: Int = 100_000, spacing: Int = 1_024,
        stateBytes: Int = 64 << 20
    ) {
        core = HistoryCore(store, limit: limit, spacing: spacing, stateBytes: stateBytes)
    }

    deinit { core.leave() }

    /// The current log: an independent value, which can compute states even once the store is gone.
    ///
    /// - Complexity: O(1); while it is kept, the next change copies a few pages, however long the
    ///   log is.
    public var log: HistoryLog<State> { core.log }

    /// Returns the state at an index (0 is the base) without showing it; the index is clamped.
    ///
    /// - Complexity: That of ``HistoryLog/state(at:)``; the states computed on the way are kept.
    public func state(at index: Int) -> State { core.state(at: index) }

    /// Changes the log and shows the moment at its cursor; the named functions are built on this.
    ///
    /// - Parameters:
    ///   - isolation: The actor that the caller runs on, whose subscribers are called immediately.
    ///   - change: Runs exclusively, and must not call the history or the store.
    /// - Returns: What `change` returns.
    /// - Complexity: That of the change, and of computing the state that is shown.
    @discardableResult
    public func perform<Result>(
        isolation: (any Actor)? = #isolation, _ change: (inout HistoryLog<State>) -> Result
    ) -> Result {
        core.change(on: isolation, change)
    }

    /// Whether the store shows what the cursor points at: false after ``detach()``, once the store
    /// was shut down or released, and always if another gate already had the store.
    public var isAttached: Bool { core.isAttached }

    /// Stops recording; the store continues from the state it shows, and the log stays readable.
    public func detach() { core.leave() }
}

extension History {
    /// Shows the moment at an index, 0 for the base.
    ///
    /// - Returns: false, with no effect, if there is no such moment or the history is not attached.
    @discardableResult
    public func jump(to index: Int, isolation: (any Actor)? = #isolation) -> Bool {
        steer(on: isolation) { $0.jump(to: index) }
    }

    /// Shows the moment right after an entry.
    ///
    /// - Returns: false, with no effect, if there is no such entry or the history is not attached.
    @discardableResult
    public func jump(toEntry id: Int, isolation: (any Actor)? = #isolation) -> Bool {
        steer(on: isolation) { $0.jump(toEntry: id) }
    }

    /// Shows the newest moment, and the store goes live again.
    public func jumpToEnd(isolation: (any Actor)? = #isolation) {
        _ = steer(on: isolation) { $0.jump(to: $0.staged.count) }
    }

    /// Moves the cursor forward or, if negative, back by a number of moments.
    ///
    /// - Returns: false, with no effect, if there are too few moments or the history is not
    ///   attached.
    @discardableResult
    public func step(by distance: Int, isolation: (any Actor)? = #isolation) -> Bool {
        steer(on: isolation) { log in
            let (index, isOutside) = log.cursor.addingReportingOverflow(distance)
            return !isOutside && log.jump(to: index)
        }
    }

    /// Skips an entry, or runs it again if it was skipped.
    ///
    /// - Returns: false, with no effect, if there is no such entry or the history is not attached.
    @discardableResult
    public func toggle(_ id: Int, isolation: (any Actor)? = #isolation) -> Bool {
        steer(on: isolation) { $0.toggle(id) }
    }

    /// Plays from the cursor to the end, one moment at a time, on a clock.
    ///
    /// Playing ends early when the task is cancelled or when other code moves the cursor.
    ///
    /// - Parameters:
    ///   - timing: How long each moment is shown.
    ///   - clock: The clock to wait on, such as a test's or the store's.
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

    /// How long to wait before the next moment; nil at the end, or if the cursor was moved.
    private func wait(at cursor: Int, _ timing: PlaybackTiming) -> Duration? {
        let log = log
        return log.cursor == cursor ? timing.wait(in: log) : nil
    }

    /// Changes what the store shows; false, with no effect, if the store would not show it.
    private func steer(
        on isolation: (any Actor)?, _ change: (inout HistoryLog<State>) -> Bool
    ) -> Bool {
        isAttached && perform(isolation: isolation, change)
    }
}
