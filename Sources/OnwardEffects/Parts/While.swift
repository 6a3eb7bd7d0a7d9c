// SPDX-License-Identifier: MIT

public import OnwardCore

/// Keeps an effect alive exactly as long as a piece of state says so.
///
/// ```swift
/// While(\.clockRunning) { _, context in
///     for await _ in context.clock.ticks(every: .seconds(1)) {
///         context.dispatch(GameAction.tick)
///     }
/// }
/// ```
///
/// The effect starts when the value appears, or is there at the beginning; it is cancelled when the
/// value goes away, and restarted when the value changes. Each instance of the feature, and each
/// row, has its own effect.
///
/// An effect that returns or throws by itself is over until the value changes. So a loop that has
/// to continue must catch its errors, or the whole effect must be retried; see ``modifying(_:)``:
///
/// ```swift
/// While(\.isShown) { _, context in
///     for await _ in context.clock.ticks(every: .seconds(30)) {
///         do {
///             context.dispatch(InboxAction.arrived(try await server.letters()))
///         } catch {
///             context.dispatch(InboxAction.failed("\(error)"))
///         }
///     }
/// }
/// ```
///
/// During time travel, such effects pause: they are cancelled, and when the store goes live again
/// they restart if the state then says so. A request that had left by then is made again, as after a
/// restart of the program: one that must not count twice carries a key from the state, such as the
/// number of a letter, by which the server knows it.
public struct While<State: Sendable>: Part {
    private typealias Change = @Sendable (Effect) -> Effect

    private let enter: @Sendable (inout Registration<State>, @escaping Change) -> Void
    private var change: Change = { $0 }

    /// Creates an effect that lives while a property is true.
    ///
    /// - Parameters:
    ///   - path: The property.
    ///   - id: A name for the list of running effects and for reports.
    ///   - file: The source file, for reports.
    ///   - line: The source line, for reports.
    ///   - body: The work, in a task of its own.
    ///   - handler: Receives the error that `body` throws, with the value that it ran for, unless
    ///     the effect was cancelled; with a retry, the error of the last attempt. Without a
    ///     handler, ``StoreOptions/effectError`` receives it.
    public init(
        _ path: any KeyPath<State, Bool> & Sendable, id: (any Hashable & Sendable)? = nil,
        file: String = #fileID,
        line: Int = #line,
        _ body: @escaping @Sendable (Bool, EffectContext<State>) async throws -> Void,
        catching handler: (@Sendable (Bool, any Error, EffectContext<State>) async -> Void)? = nil
    ) {
        self.init(
            path, reading: { $0 ? true : nil },
            effect: Self.effect(id, ActionOrigin(file: file, line: line), body, handler))
    }

    /// Creates an effect that lives while an optional property has a value, and restarts when the
    /// value changes.
    ///
    /// - Parameters:
    ///   - path: The property.
    ///   - id: A name for the list of running effects and for reports.
    ///   - file: The source file, for reports.
    ///   - line: The source line, for reports.
    ///   - body: The work, with the value, in a task of its own.
    ///   - handler: Receives the error that `body` throws, with the value that it ran for, unless
    ///     the effect was cancelled; with a retry, the error of the last attempt. Without a
    ///     handler, ``StoreOptions/effectError`` receives it.
    public init<Value: Equatable & Sendable>(
        _ path: any KeyPath<State, Value?> & Sendable, id: (any Hashable & Sendable)? = nil,
        file: String = #fileID, line: Int = #line,
        _ body: @escaping @Sendable (Value, EffectContext<State>) async throws -> Void,
        catching handler: (@Sendable (Value, any Error, EffectContext<State>) async -> Void)? = nil
    ) {
        self.init(
            path, reading: { $0 },
            effect: Self.effect(id, ActionOrigin(file: file, line: line), body, handler))
    }

    /// Creates an effect that lives while a selection, such as a selector's result, is true.
    ///
    /// The parameters are the same as for a property.
    ///
    /// - Complexity: that of a subscription per instance; in a feature of rows or of an optional
    ///   slice, each commit inside the collection reads the value of each instance.
    public init(
        _ selection: Selection<State, Bool>, id: (any Hashable & Sendable)? = nil,
        file: String = #fileID,
        line: Int = #line,
        _ body: @escaping @Sendable (Bool, EffectContext<State>) async throws -> Void,
        catching handler: (@Sendable (Bool, any Error, EffectContext<State>) async -> Void)? = nil
    ) {
        self.init(
            selection, reading: { $0 ? true : nil },
            effect: Self.effect(id, ActionOrigin(file: file, line: line), body, handler))
    }

    /// Creates an effect that lives while a selection has a value, and restarts when the value
    /// changes.
    ///
    /// The parameters are the same as for a property.
    ///
    /// - Complexity: that of a subscription per instance; in a feature of rows or of an optional
    ///   slice, each commit inside the collection reads the value of each instance.
    public init<Value: Sendable>(
        _ selection: Selection<State, Value?>, id: (any Hashable & Sendable)? = nil,
        file: String = #fileID,
        line: Int = #line,
        _ body: @escaping @Sendable (Value, EffectContext<State>) async throws -> Void,
        catching handler: (@Sendable (Value, any Error, EffectContext<State>) async -> Void)? = nil
    ) {
        self.init(
            selection, reading: { $0 },
            effect: Self.effect(id, ActionOrigin(file: file, line: line), body, handler))
    }

    /// Creates an effect that lives while the instance of its feature exists: a row, an optional
    /// slice, or as long as the store for any other.
    ///
    /// ```swift
    /// Scope(each: \.rows) {
    ///     While.present { context in try await listen(to: context.address) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - id: A name for the list of running effects and for reports.
    ///   - file: The source file, for reports.
    ///   - line: The source line, for reports.
    ///   - body: The work, in a task of its own.
    ///   - handler: Receives the error that `body` throws, as for a property.
    /// - Returns: The part.
    public static func present(
        id: (any Hashable & Sendable)? = nil, file: String = #fileID, line: Int = #line,
        _ body: @escaping @Sendable (EffectContext<State>) async throws -> Void,
        catching handler: (@Sendable (any Error, EffectContext<State>) async -> Void)? = nil
    ) -> While {
        let origin = ActionOrigin(file: file, line: line)
        let effect: @Sendable (Bool, EffectContext<State>) -> Effect =
            if let handler {
                Self.effect(
                    id, origin, { _, context in try await body(context) },
                    { _, error, context in await handler(error, context) })
            } else {
                Self.effect(id, origin, { _, context in try await body(context) }, nil)
            }
        return While { registration, change in
            registration.keepWhilePresent { change(effect(true, $0)) }
        }
    }

    private init(
        enter: @escaping @Sendable (inout Registration<State>, @escaping Change) -> Void
    ) {
        self.enter = enter
    }

    private init<Selected: Sendable, Value: Sendable>(
        _ selection: Selection<State, Selected>,
        reading read: @escaping @Sendable (Selected) -> Value?,
        effect: @escaping @Sendable (Value, EffectContext<State>) -> Effect
    ) {
        enter = { registration, change in
            registration.watch {
                $0.watch(selection, initially: true, .state) { _, new, context in
                    read(new).map { change(effect($0, context)) } ?? .none
                }
            }
        }
    }

    private init<Field: Equatable & Sendable, Value: Equatable & Sendable>(
        _ path: any KeyPath<State, Field> & Sendable,
        reading read: @escaping @Sendable (Field) -> Value?,
        effect: @escaping @Sendable (Value, EffectContext<State>) -> Effect
    ) {
        enter = { registration, change in
            registration.keep(while: path, read) { change(effect($0, $1)) }
        }
    }

    /// Adds a retry, a timeout, a repetition or further effects to the effect.
    ///
    /// ```swift
    /// While(\.address) { address, context in try await listen(to: address) }
    ///     .modifying { $0.retry(attempts: 5, .exponential(from: .seconds(1))) }
    /// ```
    ///
    /// - Parameter change: Returns what to start instead of the effect. Called on the delivering
    ///   thread before each start; must be pure.
    /// - Returns: The same part with the changed effect.
    public func modifying(_ change: @escaping @Sendable (Effect) -> Effect) -> While {
        var result = self
        result.change = { [before = self.change] in change(before($0)) }
        return result
    }

    private static func effect<Value: Sendable>(
        _ id: (any Hashable & Sendable)?, _ origin: ActionOrigin,
        _ body: @escaping @Sendable (Value, EffectContext<State>) async throws -> Void,
        _ handler: (@Sendable (Value, any Error, EffectContext<State>) async -> Void)?
    ) -> @Sendable (Value, EffectContext<State>) -> Effect {
        { (value: Value, context: EffectContext<State>) -> Effect in
            var terms = EffectTerms(id: id.map { EffectID($0) })
            if let handler { terms.handler = { await handler(value, $0, context) } }
            return Effect(.run { _ in try await body(value, context) }, origin, terms)
        }
    }

    /// Registers the effect.
    public func register(in registration: inout Registration<State>) {
        enter(&registration, change)
    }
}
