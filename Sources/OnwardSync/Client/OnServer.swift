// SPDX-License-Identifier: MIT

public import Onward

/// Parts that run on the server only, such as the effect that sends letters.
///
/// ```swift
/// let orders = Feature<Orders> {
///     Check { ... }
///     Reduce { ... }
///     OnServer { OnAction { (action: OrderAction, context) in await mail(action) } }
///     OnClient { OnAction { (action: OrderAction, context) in await playSound() } }
/// }
/// ```
///
/// The server is any store that isn't in a ``SyncedStore``, so that one without clients does the same. Effects,
/// observers and middlewares belong here; checks and reducers have to be on both sides, as both have to fold
/// the same actions to the same state.
public struct OnServer<State: Sendable>: Part {
    private let parts: [any Part<State>]

    /// Lists the parts.
    public init(@FeatureBuilder<State> _ parts: () -> [any Part<State>]) {
        self.parts = parts()
    }

    /// Registers the parts, unless the store is that of a client.
    public func register(in registration: inout Registration<State>) {
        if ClientSide.isMade { return }
        for part in parts { part.register(in: &registration) }
    }
}

/// Parts that run on clients only: in the store of a ``SyncedStore``.
///
/// Its `OnAction` effects run once for each action that was dispatched *here*: not when the server
/// confirms it, not when it is decided again on what others did, and not after a restart.
///
/// Features that replace those of a client's store later on are registered as a server's; see
/// ``OnServer``.
public struct OnClient<State: Sendable>: Part {
    private let parts: [any Part<State>]

    /// Lists the parts.
    public init(@FeatureBuilder<State> _ parts: () -> [any Part<State>]) {
        self.parts = parts()
    }

    /// Registers the parts if the store is that of a client.
    public func register(in registration: inout Registration<State>) {
        guard ClientSide.isMade else { return }
        for part in parts { part.register(in: &registration) }
    }
}

/// Whether the features that are being registered are those of a client.
///
/// Parts are made long before, often once for both sides of a test: what a part has to know comes with
/// the call that registers it.
enum ClientSide {
    @TaskLocal fileprivate static var isMade = false

    static func make<Value>(_ body: () throws -> Value) rethrows -> Value {
        try $isMade.withValue(true) { try body() }
    }
}
