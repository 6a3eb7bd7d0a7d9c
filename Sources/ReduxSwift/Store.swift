// SPDX-License-Identifier: MIT

public import Onward
public import OnwardBridge

/// Owns the state of an app written for ReduxSwift; a thin shell over an Onward store.
///
/// ```swift
/// let store = Store<Int>(reducer: count, state: nil, middlewares: [])
/// _ = store.dispatch(Increment())
/// ```
///
/// Everything that reads the log attaches to ``onward``. The store may be used from any thread.
///
/// States and actions need not be `Sendable`, nor need middlewares, hence `@unchecked`. Invariant:
/// this class touches its own variables under a lock; what it calls, it calls as the underlying
/// store promises: reducers one at a time, middleware on the thread that dispatches.
open class Store<State>: @unchecked Sendable {
    /// Makes the next state from an action and the previous state; the first state from nil and an
    /// action that it does not know.
    public typealias Reducer = (_ action: any ActionType, _ state: State?) -> State

    /// Makes a dispatcher that runs before the rest of the chain, from a store and that rest.
    ///
    /// Called when the store is made. The dispatcher runs on the dispatching thread, outside the
    /// store's lock, possibly on several threads at once. The store keeps it: a dispatcher that
    /// captures the store strongly keeps the store forever.
    public typealias MiddleWare =
        (_ store: Store<State>, _ yield: @escaping Dispatcher) -> Dispatcher

    /// The name that ``MiddleWare`` had in the first versions.
    public typealias Middleware = MiddleWare

    /// The underlying store, for everything that reads or controls the log.
    ///
    /// An action dispatched here directly bypasses all middlewares.
    public let onward: Onward.Store<OnwardState<State>>

    private let reduction: Reduction<State, any ActionType>
    private let way: Guarded<Way>
    private let callSites = CallSites()
    let thread: DeliveryThread

    /// Makes a store with a reducer, an initial state and middlewares.
    ///
    /// - Parameters:
    ///   - reducer: Makes the states.
    ///   - state: The initial state; without one, the reducer makes it.
    ///   - middlewares: The middlewares; actions pass through the last one first.
    public init(
        reducer: @escaping Reducer, state: State?, middlewares: [MiddleWare] = []
    ) {
        (reduction, onward, way) = Self.parts(reducer, state, StoreOptions(), callSites)
        thread = .automatic
        begin(middlewares)
    }

    /// Makes a store with options of the underlying store, and the thread that calls the
    /// subscribers.
    ///
    /// - Parameters:
    ///   - reducer: Makes the states.
    ///   - state: The initial state; without one, the reducer makes it.
    ///   - middlewares: The middlewares; actions pass through the last one first.
    ///   - options: The clock, the limits, the handler of mistakes. A chain of subscribers that
    ///     dispatch may have 100,000 links, unless `limits.generations` differs from that of an
    ///     Onward store.
    ///   - delivery: The thread on which ``Subscriptions`` call back.
    public init(
        reducer: @escaping Reducer, state: State?, middlewares: [MiddleWare] = [],
        options: StoreOptions = StoreOptions(), delivery: SubscriberDelivery = .automatic
    ) {
        (reduction, onward, way) = Self.parts(reducer, state, options, callSites)
        thread = delivery.thread
        begin(middlewares)
    }

    /// The current state; inside the reducer, the state that was passed to it.
    ///
    /// Assigning a state is a commit like that of an action: it is logged as an
    /// ``OnwardAssignment``, and subscribers are notified. It bypasses all middlewares. An
    /// assignment to a part of the state reads, changes and assigns the whole; what another thread
    /// dispatches in between is lost.
    ///
    /// Assigning inside the reducer is a programmer error: it is reported and refused.
    open var state: State {
        get {
            guard let state = reduction.state(of: onward) else {
                preconditionFailure(
                    "The reducer that makes the first state has asked the store for it.")
            }
            return state
        }
        set { onward.commit(BridgedAssignment(newValue), from: callSites) }
    }

    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// Dispatches an action: middleware runs first, the last one first, then the reducer.
    ///
    /// It may be called from any thread, and may be set. When it returns, ``state`` includes the
    /// action, unless a middleware withheld it.
    open var dispatch: ((any ActionType) -> any ActionType)! {
        get { way.withValue { $0 }.dispatcher }
        set {
            // What was there is released outside the lock, as it may use the store.
            var other = Way(dispatcher: newValue)
            way.withValue { swap(&$0, &other) }
        }
    }
}

extension Store {
    private typealias Parts = (
        Reduction<State, any ActionType>, Onward.Store<OnwardState<State>>, Guarded<Way>
    )

    private static func parts(
        _ reducer: @escaping Reducer, _ state: State?, _ options: StoreOptions,
        _ callSites: CallSites
    ) -> Parts {
        let reduction = Reduction(reducer)
        let onward = Onward.Store(OnwardState(state), options: options.forLongChains) {
            reduction
        }
        if state == nil { onward.dispatch(OnwardAction(FirstAction())) }
        let way = Way { action in
            onward.commit(OnwardAction(action), from: callSites)
            return action
        }
        return (reduction, onward, Guarded(way))
    }

    private func begin(_ middlewares: [MiddleWare]) {
        guard let end = way.withValue({ $0 }).dispatcher else { return }
        dispatch = middlewares.reduce(end) { yield, middleware in middleware(self, yield) }
    }
}

/// The first action of a store that was made without a state.
private struct FirstAction: ActionType {}

/// The way of an action; middlewares need not be `Sendable`, as `Store` says.
private struct Way: @unchecked Sendable {
    let dispatcher: Dispatcher?
}
