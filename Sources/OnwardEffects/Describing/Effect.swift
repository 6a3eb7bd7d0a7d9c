// SPDX-License-Identifier: MIT

public import OnwardCore

/// A description of work with the outside world, with which ``OnAction`` answers an action.
///
/// ```swift
/// OnAction { (action: SearchAction, context) -> Effect in
///     switch action {
///     case .typed(let text):
///         .run(id: "search", .latest) {
///             context.dispatch(SearchAction.found(try await library.books(named: text)))
///         } catching: { error in
///             context.dispatch(SearchAction.failed("\(error)"))
///         }
///         .debounce(for: .milliseconds(300))
///     case .left: .cancel(id: "search")
///     default: .none
///     }
/// }
/// ```
///
/// The store runs effects in tasks that it owns, and they report back with actions. An effect is
/// cancelled when the store ends, or when the row or optional slice that it belongs to goes away.
public struct Effect: Sendable {
    var work: EffectWork
    var origin: ActionOrigin
    /// Nil for an effect that is only its work, as most are, because effects are passed around
    /// often.
    private var box: EffectTerms.Box?

    init(_ work: EffectWork, _ origin: ActionOrigin = ActionOrigin(file: "", line: 0)) {
        self.work = work
        self.origin = origin
    }

    init(_ work: EffectWork, _ origin: ActionOrigin, _ terms: EffectTerms) {
        self.init(work, origin)
        self.terms = terms
    }

    /// The effect's terms, besides its work.
    var terms: EffectTerms {
        get { box?.terms ?? EffectTerms() }
        set { box = newValue.isBare ? nil : EffectTerms.Box(terms: newValue) }
    }

    /// An effect that does nothing.
    public static var none: Effect {
        // Computed, because a stored one has to be checked for initialization, and copied.
        Effect(.none)
    }

    /// Performs asynchronous work.
    ///
    /// The work runs in its own task, on no actor, and captures the context to report back.
    ///
    /// - Parameters:
    ///   - id: Its name, for the policy and for ``cancel(id:file:line:)``: any `Hashable` value.
    ///     All effects without an id that the same part makes for the same instance share one name.
    ///   - policy: What happens if one of the same name is already running.
    ///   - file: The source file, for reports.
    ///   - line: The source line, for reports.
    ///   - body: The work. It is cancelled like any task, by an error from what it awaits.
    ///   - handler: Receives the error that `body` throws, unless the effect was cancelled; with
    ///     ``retry(attempts:_:when:)``, the error of the last attempt, once. Without a handler,
    ///     ``StoreOptions/effectError`` receives it.
    ///   - cancellation: Called when the effect was cancelled, even before it began, or was dropped
    ///     by its policy, a debounce or a throttle. Use it to revert a change that was shown before
    ///     it was confirmed. It runs after `body` has ended, as a separate effect without an id,
    ///     and may dispatch; anything that `body` did outside by then stays done. It isn't called
    ///     if nothing is left to answer: the store ends, the instance is gone, or a ``While`` no
    ///     longer keeps the effect.
    /// - Returns: The effect.
    public static func run(
        id: (any Hashable & Sendable)? = nil, _ policy: EffectPolicy = .concurrent,
        file: String = #fileID, line: Int = #line,
        _ body: @escaping @Sendable () async throws -> Void,
        catching handler: (@Sendable (any Error) async -> Void)? = nil,
        onCancel cancellation: (@Sendable () async -> Void)? = nil
    ) -> Effect {
        var effect = Effect(.call(body), ActionOrigin(file: file, line: line))
        if id != nil || policy != .concurrent || handler != nil || cancellation != nil {
            effect.terms = EffectTerms(
                id: id.map { EffectID($0) }, policy: policy, handler: handler,
                cancellation: cancellation)
        }
        return effect
    }

    /// Dispatches an action to the instance that the effect belongs to.
    public static func dispatch(
        _ action: some Action, file: String = #fileID, line: Int = #line
    ) -> Effect {
        let origin = ActionOrigin(file: file, line: line)
        return Effect(
            .dispatch { engine, owner, place, here in
                engine.send(
                    action, to: place.address, from: origin, for: owner, at: place, on: here)
            }, origin)
    }

    /// Dispatches an action to an address from the store's root; ``Address/root`` means every
    /// feature.
    public static func dispatch(
        _ action: some Action, to address: Address, file: String = #fileID, line: Int = #line
    ) -> Effect {
        let origin = ActionOrigin(file: file, line: line)
        return Effect(
            .dispatch { engine, owner, _, here in
                engine.send(action, to: address, from: origin, for: owner, on: here)
            }, origin)
    }

    /// Dispatches an action to the parent of the instance that the effect belongs to: the feature
    /// that scopes it, but neither the instance itself nor its siblings.
    public static func dispatch(
        _ action: some Action, to relative: RelativeAddress, file: String = #fileID,
        line: Int = #line
    ) -> Effect {
        let origin = ActionOrigin(file: file, line: line)
        return Effect(
            .dispatch { engine, owner, place, here in
                guard let target = relative.address(from: place.address) else {
                    return .refused(.absent)
                }
                return engine.send(
                    action, to: target, from: origin, for: owner, at: place, on: here)
            }, origin)
    }

    /// Dismisses the presented feature that the effect belongs to or is nested in; see ``Present``.
    public static func dismiss(file: String = #fileID, line: Int = #line) -> Effect {
        let origin = ActionOrigin(file: file, line: line)
        return Effect(
            .dispatch { engine, owner, place, here in
                engine.send(
                    PresentationAction.dismiss,
                    to: engine.presented(around: place.address) ?? place.address, from: origin,
                    for: owner, at: place, on: here)
            }, origin)
    }

    /// Dispatches an action for each element of a sequence, until the sequence ends.
    ///
    /// The next element is requested once the dispatch for the last one has returned, so the store
    /// never holds more than one; the sequence decides whether elements that arrive meanwhile are
    /// kept.
    ///
    /// - Parameters:
    ///   - sequence: The sequence to listen to.
    ///   - id: Its name, for the policy and for ``cancel(id:file:line:)``.
    ///   - policy: What happens if one of the same name is already running.
    ///   - file: The source file, for entries and reports.
    ///   - line: The source line, for entries and reports.
    ///   - action: The action for an element, dispatched to the instance that the effect belongs
    ///     to; nil for none.
    ///   - handler: Receives the error that the sequence throws; with ``retry(attempts:_:when:)``,
    ///     the error of the last attempt.
    /// - Returns: The effect.
    public static func stream<S: AsyncSequence & Sendable, A: Action>(
        _ sequence: S, id: (any Hashable & Sendable)? = nil, _ policy: EffectPolicy = .concurrent,
        file: String = #fileID, line: Int = #line,
        _ action: @escaping @Sendable (S.Element) -> A?,
        catching handler: (@Sendable (any Error) async -> Void)? = nil
    ) -> Effect {
        let origin = ActionOrigin(file: file, line: line)
        return Effect(
            .run { owner in
                for try await element in sequence {
                    try Task.checkCancellation()
                    guard let action = action(element) else { continue }
                    _ = owner.dispatch { place in
                        Dispatch.with(action, to: place.address, from: origin, on: nil) {
                            owner.dispatch($0, at: place)
                        }
                    }
                }
            }, origin,
            EffectTerms(id: id.map { EffectID($0) }, policy: policy, handler: handler))
    }

    /// Runs several effects at the same time, each with its own errors.
    ///
    /// A timeout, a retry or a repetition of the merge applies to each effect on its own.
    public static func merge(
        _ effects: [Effect], file: String = #fileID, line: Int = #line
    ) -> Effect {
        Effect(.merge(effects), ActionOrigin(file: file, line: line))
    }

    /// Runs several effects at the same time, each with its own errors.
    ///
    /// A timeout, a retry or a repetition of the merge applies to each effect on its own.
    public static func merge(
        _ effects: Effect..., file: String = #fileID, line: Int = #line
    ) -> Effect {
        merge(effects, file: file, line: line)
    }

    /// Runs several effects one after another.
    ///
    /// An effect that fails without a handler of its own, is cancelled, or is dropped by its policy
    /// ends the sequence.
    public static func sequence(
        _ effects: [Effect], file: String = #fileID, line: Int = #line
    ) -> Effect {
        Effect(.sequence(effects), ActionOrigin(file: file, line: line))
    }

    /// Runs several effects one after another.
    ///
    /// An effect that fails without a handler of its own, is cancelled, or is dropped by its policy
    /// ends the sequence.
    public static func sequence(
        _ effects: Effect..., file: String = #fileID, line: Int = #line
    ) -> Effect {
        sequence(effects, file: file, line: line)
    }

    /// Cancels the effects with a name that belong to the same instance, including waiting ones.
    public static func cancel(
        id: any Hashable & Sendable, file: String = #fileID, line: Int = #line
    ) -> Effect {
        Effect(.cancel(EffectID(id)), ActionOrigin(file: file, line: line))
    }

    /// Its name; nil for an effect that affects no other.
    var id: EffectID? { box?.terms.id }

    /// Whether the effect is only its work.
    var isBare: Bool { box == nil }

    /// How the effect affects others (nil if it doesn't), and its work inside the outermost gates.
    func place(in owner: EffectOwner) -> (EffectPlace?, EffectWork) {
        guard let terms = box?.terms else { return (nil, work) }
        let isNamed = terms.id != nil || terms.policy != .concurrent
        guard isNamed || terms.gateCount > 0 else { return (nil, work) }
        let name = terms.id.map(owner.runner.names.name) ?? .part(owner.order)
        var place = EffectPlace(
            slot: EffectSlot(instance: owner.instance, name: name),
            policy: terms.policy,
            origin: terms.id == nil ? origin : nil, isNamed: isNamed)
        var work = work
        while case .gate(let gate, let inner) = work {
            place.gates.append(gate)
            work = inner
        }
        place.hasInnerGate = place.gates.last.map { $0.level > 0 } ?? (terms.gateCount > 0)
        return (place, work)
    }

    /// The greatest number of debounces and throttles nested in it.
    var gateCount: Int { max(box?.terms.gateCount ?? 0, work.gateCount) }

    /// Whether there is nothing to do.
    var isNothing: Bool {
        if case .none = work { isBare } else { false }
    }
}

/// What an effect does.
enum EffectWork: Sendable {
    case none
    case run(@Sendable (EffectOwner) async throws -> Void)
    /// The same, of a closure that has captured what it needs.
    case call(@Sendable () async throws -> Void)
    /// Dispatches an action, in a turn of the deliverer or of a job.
    case dispatch(EffectSender)
    case merge([Effect])
    case sequence([Effect])
    /// Indirect, because an id of any type would make effects values that are copied by witnesses.
    indirect case cancel(EffectID)
    indirect case gate(EffectGate, EffectWork)
    indirect case timeout(Duration, EffectWork)
    indirect case retry(RetryTerms, EffectWork)
    indirect case repeating(every: Duration, EffectWork)
}

extension EffectWork {
    /// The greatest number of gates nested in it.
    fileprivate var gateCount: Int {
        switch self {
        case .gate(let gate, _): gate.level + 1
        case .merge(let effects), .sequence(let effects): effects.map(\.gateCount).max() ?? 0
        case .timeout(_, let work), .retry(_, let work), .repeating(_, let work): work.gateCount
        case .none, .run, .call, .dispatch, .cancel: 0
        }
    }
}
