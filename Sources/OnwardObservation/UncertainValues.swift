// SPDX-License-Identifier: MIT

internal import OnwardCore

/// Observed values that were read between commits that are told as one, each with the last of these
/// commits that may have changed it.
final class UncertainValues: DeliveryPart {
    private let engine: Engine
    private let values: [(value: ObservedValue, version: Version)]

    init(_ values: [(value: ObservedValue, version: Version)], of engine: Engine) {
        self.values = values
        self.engine = engine
    }

    func tellBeforeSubscribers(_ context: DeliveryContext) {}

    func tellAfterSubscribers(_ context: DeliveryContext, on here: (any Actor)?) {
        for (value, version) in values { engine.tellUncertain(value, of: version) }
    }
}
