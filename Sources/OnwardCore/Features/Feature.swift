// SPDX-License-Identifier: MIT

/// The behaviour of one part of an app as a value: reducers, middleware, and other features.
///
/// A feature knows only its own state; ``Scope`` places it into a larger one.
public struct Feature<State: Sendable>: Part {
    private let parts: [any Part<State>]
    private let identity = FeatureIdentity()

    /// Makes a feature of parts, which handle an action in the order in which they are listed.
    public init(@FeatureBuilder<State> _ parts: () -> [any Part<State>]) {
        self.parts = parts()
    }

    /// Registers the parts in their order.
    public func register(in registration: inout Registration<State>) {
        registration.compiler.note(identity, at: registration.lens)
        for part in parts { part.register(in: &registration) }
    }
}

/// Distinguishes a feature from others made of equal parts.
final class FeatureIdentity: Sendable {}

/// Collects the parts of a feature; `if`, `switch` and `for` can choose among them.
@resultBuilder
public enum FeatureBuilder<State: Sendable> {
    /// A part of the state's own type.
    public static func buildExpression<P: Part>(_ part: P) -> [any Part<State>]
    where P.State == State {
        [part]
    }

    /// All parts in their order.
    public static func buildBlock(_ parts: [any Part<State>]...) -> [any Part<State>] {
        parts.flatMap(\.self)
    }

    /// The parts of an `if` without `else`.
    public static func buildOptional(_ parts: [any Part<State>]?) -> [any Part<State>] {
        parts ?? []
    }

    /// The parts of the first branch.
    public static func buildEither(first parts: [any Part<State>]) -> [any Part<State>] { parts }

    /// The parts of the second branch.
    public static func buildEither(second parts: [any Part<State>]) -> [any Part<State>] { parts }

    /// The parts of a loop.
    public static func buildArray(_ parts: [[any Part<State>]]) -> [any Part<State>] {
        parts.flatMap(\.self)
    }
}

/// What a part registers besides reducers, responders and middlewares, for a layer above the core
/// to find among the compiled features.
package protocol FeatureExtension: Sendable {}

/// Something that a feature is made of: a reducer, a middleware, a scope, another feature.
///
/// This is the only way to bring behaviour into a store; your own kinds of parts conform to it and
/// are listed in a feature like the built-in ones.
public protocol Part<State>: Sendable {
    /// The state this part works on.
    associatedtype State: Sendable

    /// Registers what this part consists of.
    ///
    /// Called once for each store (and again when its features are replaced), before the store
    /// runs anything; the order of the calls is the order in which the parts handle an action.
    func register(in registration: inout Registration<State>)
}
