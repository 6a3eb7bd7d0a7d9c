// SPDX-License-Identifier: MIT

internal import OnwardCore

/// An instance relative to the one that an effect belongs to.
public enum RelativeAddress: Sendable, Hashable {
    /// The feature that scopes the instance: its own reducers and effects, not those of the
    /// features inside it, so neither the instance itself nor its siblings receive the action.
    ///
    /// At the root of a store there is no parent: an action sent there is refused as
    /// ``Refusal/absent``, so that a feature can be tried out on its own.
    case parent

    /// The address as seen from the root; nil when there is no such instance.
    func address(from instance: Address) -> Address? {
        switch self {
        case .parent: instance.parent
        }
    }
}
