// SPDX-License-Identifier: MIT

/// The behaviour of one part of an app as a value: reducers, middleware, and other features.
///
/// A feature knows only its own state; ``Scope`` places it into a larger one.
public struct Feature<State: Sendable>: Part {
    private let parts: [any Part<State>]
    private let identity = FeatureIdentity()

    /// A feature made of parts, which handle an action in the order in which they stand here.
    public init(@FeatureBuilder<State> _ parts: () -> [any Part<State>]) {
        self.parts = parts()
    }

    /// Registers the parts in their order.
    public func register(in registration: inout Registration<State>) {
        registration.compiler.note(identity, at: registration.lens)
        for part in parts { part.register(in: &registration) }
    }
}

/// Distinguishes a feature from another one that is made of equal parts.
final class FeatureIdentity: Sendable {}
