// SPDX-License-Identifier: MIT

public import OnwardCore

extension Store {
    /// Waits until nothing is being delivered or waits to be, and no effect of an action is at work or
    /// waits to start.
    ///
    /// Effects that a piece of state keeps alive (``While``) are not waited for, as they don't end by
    /// themselves. An effect of an action that never ends, or whose timer stands still with a manual
    /// clock, is waited for. Awaited inside an effect, or a task made there, it waits for the others; those
    /// that wait like this themselves, or with ``run(_:file:line:isolation:)``, count as at rest for each
    /// other, and so does what stands in a queue behind them (``EffectPolicy/queue``).
    ///
    /// When the task is cancelled, waiting ends. Don't await it from within a delivery's own chain of calls.
    public func idle() async {
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

    /// Ends the store in a stated order: dispatches are refused from now on; deliveries that are due are made;
    /// effects are cancelled and have ended; subscribers and observers are released; tasks that wait are notified.
    ///
    /// The state stays readable. A second call only waits for rest. An effect that ignores its cancellation
    /// is waited for. Don't await it inside an effect.
    ///
    /// - Returns: What was dropped: the effects of actions, and dispatched functions, that had not ended,
    ///   oldest first, as they were before they were cancelled. Of these, `.waiting` and `.queued` ones
    ///   never began, such as a debounced effect that was to save; `.running` ones were cut off. Those of
    ///   ``While`` are not among them.
    @discardableResult
    public func shutdown() async -> [RunningEffect] {
        let isFirst = engine.close()
        // First, or a `While`, and what saves with one, would end before it is notified of the last state.
        await engine.rest()
        let effects = engine.effects
        let dropped = effects.finish()
        await effects.empty()
        await engine.rest()
        if isFirst { engine.end() }
        return dropped
    }
}
