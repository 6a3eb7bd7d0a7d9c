// SPDX-License-Identifier: MIT

internal import Onward

/// Parts that are made while their store is made.
///
/// A `Feature` is noted by its identity, so that listing it twice is reported; one that nobody keeps after it has
/// registered may be taken for another.
struct PartList<State: Sendable>: Part {
    private let parts: [any Part<State>]

    init(@FeatureBuilder<State> _ parts: () -> [any Part<State>]) { self.parts = parts() }

    func register(in registration: inout Registration<State>) {
        for part in parts { registration.add(part) }
    }
}
