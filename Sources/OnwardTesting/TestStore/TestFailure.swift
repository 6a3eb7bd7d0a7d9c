// SPDX-License-Identifier: MIT

#if Testing
import CustomDump
import Onward
import OnwardJournal

/// The texts with which a ``TestStore`` fails: what was expected, what happened, what to do.
enum TestFailure {
    /// The state after an action is not the expected one.
    static func changes<State>(
        of action: String, expected: State, actual: State, isStated: Bool, _ strictness: Strictness
    ) -> String {
        let hint =
            switch strictness {
            case .exhaustive where isStated: ""
            case .exhaustive:
                """


                To expect a change, state it in a closure: { $0.property = value }.
                """
            case .partial:
                """


                A partial expectation is given the state after the action, and assigns what should \
                be there already: { $0.count = 2 }, not { $0.count += 1 }.
                """
            }
        let problem =
            isStated || strictness == .partial
            ? "changed the state otherwise than expected"
            : "changed the state, but no change was expected"
        return """
            \(action) \(problem):

            \(difference(expected, actual))

            (Expected: -, actual: +)\(hint)
            """
    }

    /// The closure that states the expected change threw.
    static func changesThrew(_ error: any Error, for action: String) -> String {
        "The closure that states what \(action) changes threw an error: \(error)"
    }

    /// The store did not take an action.
    static func notAccepted(
        _ action: any Action, at address: Address, _ result: DispatchResult
    ) -> String {
        let reason =
            switch result {
            case .accepted: "was accepted"
            case .withheld: "was withheld by a middleware or the gate"
            case .refused(.unhandled): "was refused, as no reducer handles it at its address"
            case .refused(.absent): "was refused, as its optional slice or its row is not there"
            case .refused(.failedCheck(let failure)): "was refused by a check: \(failure)"
            case .refused(.insideReducer): "was refused, as it was dispatched inside a reducer"
            case .refused(.tooDeep): "was refused, as it continued a loop"
            case .refused(.expired): "was refused, as the effect that dispatched it has ended"
            case .refused(.shutDown): "was refused, as the store was shut down by finish()"
            case .refused(.outdated): "was refused, as it was meant for another version"
            }
        let place = address == .root ? "" : " addressed to \"\(address)\""
        return """
            \(dump(action))\(place) \(reason), so it changed nothing. If that is what should happen, \
            dispatch it to `live` and compare the result: \
            #expect(store.live.dispatch(…)\(result.comparison)).
            """
    }

    /// Actions came that the test did not receive before it went on.
    static func unreceived(_ entries: [LogEntry], before moment: String) -> String {
        let count = entries.count == 1 ? "1 action was" : "\(entries.count) actions were"
        return """
            \(count) not received before \(moment):

            \(list(entries))

            Every action that an effect, a middleware or a subscriber dispatches has to be received: \
            await store.receive(…). To pass over some, receive a later one with .partial, or end with \
            finish(.partial).
            """
    }

    /// Another action came than the expected one.
    static func unexpected(_ entry: LogEntry, expected: String, difference: String?) -> String {
        if let difference {
            return """
                The next action is not the expected one:

                \(difference)

                (Expected: -, received: +, dispatched at \(entry.origin))
                """
        }
        return """
            The next action is not the expected one. Expected:

            \(bullet(expected))

            Received:

            \(list([entry]))
            """
    }

    /// No action came.
    static func nothingCame(
        expected: String, passedOver: [LogEntry], within limit: Duration,
        _ effects: [RunningEffect],
        _ clock: ManualClock
    ) -> String {
        let others =
            passedOver.isEmpty ? "" : "\n\nThese came, and were passed over:\n\n\(list(passedOver))"
        let reason =
            effects.isEmpty
            ? "No effect is there that could dispatch it."
            : """
            These effects are there:

            \(list(effects))

            The manual clock: \(clock.situation) If the action comes with time, advance the clock \
            before: await store.advance(by: …). If it comes from outside, let the test answer there.
            """
        return """
            An expected action did not come\(effects.isEmpty ? "" : " within \(limit) of real time"):

            \(bullet(expected))\(others)

            \(reason)
            """
    }

    /// Effects are there at the end of the test.
    static func stillRunning(_ effects: [RunningEffect], _ clock: ManualClock) -> String {
        let count = effects.count == 1 ? "1 effect has" : "\(effects.count) effects have"
        return """
            \(count) not ended at the end of the test:

            \(list(effects))

            The manual clock: \(clock.situation) To fix this, let them end: advance the clock, \
            dispatch what cancels them, or let the test answer for the outside world. To cancel them \
            instead, end with finish(.partial).
            """
    }

    /// Effects continue after they were cancelled.
    static func deaf(_ effects: [RunningEffect], after limit: Duration) -> String {
        """
        The store was shut down, but after \(limit) of real time these cancelled effects are still \
        at work:

        \(list(effects))

        Whatever an effect awaits has to end when its task is cancelled. To fix this, use functions \
        that throw `CancellationError`, or withTaskCancellationHandler around those that don't.
        """
    }

    /// Tasks that are not effects sleep on the clock.
    static func sleepers(_ clock: ManualClock) -> String {
        """
        All effects have ended, but tasks still sleep on the store's clock. \(clock.situation) \
        Something started them outside the store, and nothing ended them: cancel them where they \
        were started.
        """
    }

    /// The store was released without being finished.
    static func unfinished(_ entries: [LogEntry], _ effects: [RunningEffect]) -> String {
        let actions =
            entries.isEmpty
            ? nil : "These actions were not received:\n\n\(list(entries))"
        let running =
            effects.isEmpty ? nil : "These effects have not ended:\n\n\(list(effects))"
        return """
            The test let go of its TestStore without ending it.

            \([actions, running].compactMap(\.self).joined(separator: "\n\n"))

            To fix this, receive them, and end the test with: await store.finish().
            """
    }

    /// A reducer, a scope or a test misused the store.
    static func programmerError(_ mistake: ProgrammerError) -> String { mistake.description }

    /// An effect threw what it does not handle.
    static func threw(_ failure: EffectFailure) -> String {
        """
        \(failure) If that should happen, handle it in the effect (`catching:`), or give the test \
        store another `effectError` in its options.
        """
    }

    /// A part that saves a value could not read or write it.
    static func notSaved(_ error: SavingError) -> String {
        "\(error) If that should happen, give the `Saving` a `report` of its own."
    }

    /// A closure was called for which the test has none.
    static func unimplemented(_ name: String, _ arguments: String) -> String {
        """
        \(name)(\(arguments)) was called, but this test says that it isn't. If it should be, give the feature a \
        closure that answers it; otherwise find the effect that calls it.
        """
    }

    // MARK: Words

    /// The difference between two values, as lines.
    static func difference<Value>(_ expected: Value, _ actual: Value) -> String {
        diff(expected, actual).map(shortened)
            ?? """
            The values are not equal, but look the same when they are written out:

            \(dump(actual))
            """
    }

    /// Whether no difference is seen when two values are written out.
    static func areAlike<Value>(_ left: Value, _ right: Value) -> Bool { diff(left, right) == nil }

    /// Whether two values are equal; NaN, which doesn't equal itself, counts as equal to NaN.
    static func areEqual<Value: Equatable>(_ left: Value, _ right: Any) -> Bool {
        guard let right = right as? Value else { return false }
        if left == right { return true }
        return left != left && right != right && areSame(left, right) != false
    }

    /// Whether two values are written out alike, and are encoded alike; nil if they are not
    /// `Encodable`, so that there may be more to them than what is written out.
    static func areSame(_ left: Any, _ right: Any) -> Bool? {
        guard String(customDumping: left) == String(customDumping: right) else { return false }
        guard let left = left as? any Encodable, let right = right as? any Encodable,
            let form = try? DataValue(revealing: left)
        else { return nil }
        return form == (try? DataValue(revealing: right))
    }

    /// A value, written out.
    static func dump(_ value: Any) -> String { shortened(String(customDumping: value)) }

    /// A text without the parts that no one would read.
    private static func shortened(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count > mostLines else { return text }
        let rest = lines.count - mostLines
        return (lines.prefix(mostLines) + ["… and \(rest) more lines"]).joined(separator: "\n")
    }

    private static let mostLines = 100

    /// What an entry is called in a sentence.
    static func name(_ entry: LogEntry) -> String {
        let place = entry.address == .root ? "" : " at \"\(entry.address)\""
        return entry.action.wireName + place
    }

    private static func list(_ entries: [LogEntry]) -> String {
        let shown = entries.prefix(10).map { entry in
            let place = entry.address == .root ? "" : " at \"\(entry.address)\""
            return bullet(dump(entry.action) + "\(place), dispatched at \(entry.origin)")
        }
        let rest = entries.count > 10 ? ["   and \(entries.count - 10) more"] : []
        return (shown + rest).joined(separator: "\n")
    }

    private static func list(_ effects: [RunningEffect]) -> String {
        effects.map { " • \($0.sentence(word(for: $0.phase)))" }.joined(separator: "\n")
    }

    private static func bullet(_ text: String) -> String {
        " • "
            + text.split(separator: "\n", omittingEmptySubsequences: false)
            .joined(separator: "\n   ")
    }

    private static func word(for phase: RunningEffect.Phase) -> String {
        switch phase {
        case .waiting: "waits for its debounce or throttle"
        case .queued: "waits for those of its id before it"
        case .running: "has started"
        case .cancelled: "was cancelled and has not ended yet"
        }
    }
}

extension DispatchResult {
    /// How a test compares it, as it is written in code.
    fileprivate var comparison: String {
        switch self {
        case .accepted: " == .accepted"
        case .withheld: " == .withheld"
        case .refused(.failedCheck(let failure)): ".reason() == \(failure)"
        case .refused(let refusal): " == .refused(.\(refusal))"
        }
    }
}
#endif
