// SPDX-License-Identifier: MIT

internal import OnwardCore

/// Observed values that were read between commits which are told as one, each with the last of these
/// that may have changed it.
struct UncertainValues: DeliveryPart {
    let values: [(value: ObservedValue, version: Version)]

    func tellAfterSubscribers(of engine: Engine) {
        for (value, version) in values { engine.tellUncertain(value, of: version) }
    }
}
