// SPDX-License-Identifier: MIT

public import OnwardCore

/// An effect that has started or is waiting to, as listed by ``StoreDiagnostics/runningEffects``.
public struct RunningEffect: Sendable, CustomStringConvertible {
    /// What started an effect.
    package enum Kind: Sendable, Hashable {
        /// An action, through ``OnAction``.
        case action
        /// A change of the state, through ``OnChange``.
        case change
        /// A piece of state, through ``While``.
        case state
        /// A function that was dispatched.
        case thunk
    }

    /// The phase that an effect is in.
    public enum Phase: Sendable, Hashable {
        /// The effect is held back by a debounce or a throttle.
        case waiting
        /// The effect waits for earlier effects with the same id.
        case queued
        /// The effect is running.
        case running
        /// The effect was cancelled and has not ended yet.
        case cancelled
    }

    /// A number that no other effect of the store has; effects that came later have higher ones.
    package let number: UInt64
    /// The name that the feature gave it.
    package let name: EffectID?
    /// The kind of thing that started it.
    package let kind: Kind
    /// The instance of the feature that it belongs to.
    public let address: Address
    /// The action that started it; nil when it was not started by an action.
    public let action: (any Action)?
    /// The entry that started it, or that led to the state that did; nil if there was none.
    public let startedBy: CommitVersion?
    /// Where the effect is written in the source.
    public let origin: ActionOrigin
    /// When it was handed to the store.
    public let since: Timestamp
    /// The id that the feature gave it, as text; nil if it gave none.
    public var id: String? { name?.description }
    /// The phase that it is in.
    public let phase: Phase
    /// Whether it waits for other effects, and does nothing else.
    package let isResting: Bool

    /// The number of the effect that the current task works for; nil outside of effects.
    package static var currentNumber: UInt64? { EffectJob.current?.key.number }

    /// A sentence about the effect, completed by a phrase that begins with a verb.
    package func sentence(_ rest: String) -> String {
        "\(self)\(startedBy == nil ? "" : ",") \(rest)"
    }

    /// A phrase with the id, the place in the source, and what started it.
    public var description: String {
        let name = name.map { " \"\($0)\"" } ?? ""
        let place = address == .root ? "" : " of \"\(address)\""
        let cause = startedBy.map { version in
            let action = action.map { $0.wireName + ", " } ?? ""
            return ", started by \(action)version \(version)"
        }
        return "The effect\(name)\(place) at \(origin)\(cause ?? "")"
    }
}
