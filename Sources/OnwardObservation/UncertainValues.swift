// SPDX-License-Identifier: MIT

internal import OnwardCore

/// Observed values that were read between commits that are delivered as one, each with the last of these
/// commits that may have changed it.
final class UncertainValues: DeliveryPart {
    private let engine: Engine
    private let values: [(value: ObservedValue, version: CommitVersion)]

    init(_ values: [(value: ObservedValue, version: CommitVersion)], of engine: Engine) {
        self.values = values
        self.engine = engine
    }

    func notifyBeforeSubscribers(_ context: DeliveryContext) {
        for (value, version) in values { engine.notifyUncertain(value, of: version) }
    }

    func proceed(_ context: DeliveryContext, on here: (any Actor)?) -> Bool { false }
}
