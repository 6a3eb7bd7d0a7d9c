// SPDX-License-Identifier: MIT

internal import OnwardCore

/// An instance seen from the one that an effect belongs to.
public enum RelativeAddress: Sendable, Hashable {
    /// The feature that scopes the instance: its own reducers and effects, not those of the features
    /// inside it. So neither the instance itself nor its siblings are sent the action.
    ///
    /// At the root of a store there is no parent: what is sent there is refused as
    /// ``Refusal/absent``, so that a feature can be tried out alone.
    case parent

    /// The address as seen from the root; nil when there is no such instance.
    func address(from instance: Address) -> Address? {
        switch self {
        case .parent: instance.parent
        }
    }
}
