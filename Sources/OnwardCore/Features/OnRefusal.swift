// SPDX-License-Identifier: MIT

/// An action that a check has refused.
public struct RefusedAction: Sendable {
    /// What was asked for, as it left the middlewares.
    public let action: any Action
    /// The instance that it was for.
    public let address: Address
    /// Why it was refused.
    public let reason: any RefusalReason
    /// Where it was dispatched.
    public let origin: ActionOrigin
    /// The version of the state that the check has looked at.
    public let version: CommitVersion
}

/// Calls a closure whenever a check refuses an action that concerns this place, as for statistics or to show the reason.
///
/// ```swift
/// OnRefusal { refused in analytics.count(refused.reason.wireName) }
/// ```
///
/// It is called on the thread that dispatched, before its `dispatch` returns, without the store's lock; by several
/// threads at once where several are refused. What it dispatches is an action like any other. Whoever
/// only wants to know what happened reads ``StoreDiagnostics/refusals``.
public struct OnRefusal<State: Sendable>: Part {
    private let body: @Sendable (RefusedAction) -> Void

    /// Calls a closure with each refused action.
    public init(_ body: @escaping @Sendable (RefusedAction) -> Void) {
        self.body = body
    }

    /// Registers the closure.
    public func register(in registration: inout Registration<State>) {
        registration.compiler.add(RefusalObserver(lens: registration.lens, body: body))
    }
}

/// A registered ``OnRefusal``.
struct RefusalObserver: Sendable {
    let lens: SliceLens
    let body: @Sendable (RefusedAction) -> Void
}

/// What checks have refused in a store since it was made.
public struct RefusalLog: Sendable {
    /// How often each reason was given, by its ``RefusalReason/wireName``; beyond 200 names the rest is counted
    /// as "others".
    public private(set) var counts: [String: UInt64] = [:]
    private var recent: [RefusedAction] = []
    private var next = 0

    /// The last 100, the newest last.
    public var latest: [RefusedAction] { Array(recent[next...] + recent[..<next]) }

    /// Counts one; returns the one that is forgotten for it, to be released outside the lock.
    mutating func note(_ refused: RefusedAction, named name: String) -> RefusedAction? {
        let isKnown = counts[name] != nil || counts.count < 200
        counts[isKnown ? name : "others", default: 0] += 1
        guard recent.count == 100 else {
            recent.append(refused)
            return nil
        }
        var forgotten = refused
        swap(&forgotten, &recent[next])
        next = (next + 1) % 100
        return forgotten
    }
}
