// SPDX-License-Identifier: MIT

public import OnwardCore

extension Store {
    /// Waits until no delivery is under way or pending, and no effect of an action is at work or
    /// waiting to start.
    ///
    /// It doesn't wait for effects that a piece of state keeps alive (``While``), because they
    /// don't end by themselves. It does wait for an effect of an action that never ends, or whose
    /// timer stands still on a manual clock. Inside an effect, or a task made there, it waits for
    /// the other effects; effects that wait like this themselves, or with
    /// ``run(_:file:line:isolation:)``, count as at rest for each other, and so do effects queued
    /// behind them (``EffectPolicy/queue``).
    ///
    /// If the task is cancelled, waiting ends. Don't await this method from within a delivery's own
    /// chain of calls.
    public func waitUntilIdle() async {
        let engine = engine
        await EffectJob.resting(in: engine) { isInside in
            while true {
                await engine.rest()
                let isIdle = engine.whole { locked in
                    locked.isAtRest
                        && engine.attachment(EffectRunner.self, locked)
                            .isQuiet(insideEffect: isInside)
                }
                if isIdle || Task.isCancelled { return }
                await engine.effects.waitUntilIdle(insideEffect: isInside)
            }
        }
    }

    /// Ends the store in order: refuses dispatches from now on, makes the deliveries that are due,
    /// cancels effects and waits for their end, releases subscribers and observers, and notifies
    /// waiting tasks.
    ///
    /// The state stays readable. A second call only waits for rest. Effects that ignore their
    /// cancellation are waited for. Don't await this method inside an effect.
    ///
    /// - Returns: What was dropped: the effects of actions and the dispatched functions that had
    ///   not ended, oldest first, as they were before they were cancelled. Those that are
    ///   `.waiting` or `.queued` never began, such as a debounced effect that was to save; those
    ///   that are `.running` were cut off. Effects of ``While`` are not included.
    @discardableResult
    public func shutdown() async -> [RunningEffect] {
        let isFirst = engine.close()
        // First; otherwise a `While`, and what saves with one, would end before it is notified of
        // the last state.
        await engine.rest()
        let effects = engine.effects
        let dropped = effects.finish()
        await effects.empty()
        await engine.rest()
        if isFirst { engine.end() }
        return dropped
    }
}
