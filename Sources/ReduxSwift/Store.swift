// SPDX-License-Identifier: MIT

public import Onward
public import OnwardBridge

/// Owns the state of an app that is written against ReduxSwift; a thin shell over a store of Onward.
///
/// ```swift
/// let store = Store<Int>(reducer: count, state: nil, middlewares: [])
/// _ = store.dispatch(Increment())
/// ```
///
/// Whatever reads the log attaches to ``onward``. The store may be used from any thread.
///
/// States and actions need not be `Sendable`, nor need middlewares, hence `@unchecked`. Invariant:
/// this class touches its own variables under a lock; what it calls, it calls as the underlying store
/// promises: reducers one at a time, middleware on the thread that dispatches.
public final class Store<State>: @unchecked Sendable {
    /// The store underneath, for everything that reads or steers the log.
    ///
    /// An action that is dispatched here directly passes no middleware.
    public let onward: Onward.Store<OnwardState<State>>

    private let reduction: Reduction<State, any ActionType>
    private let dispatcher = Guarded(Way { $0 })

    /// A store with a reducer, a first state and middlewares.
    ///
    /// - Parameters:
    ///   - reducer: Makes the next state of an action and the state before.
    ///   - state: The first state; without one the reducer makes it, of no state and an action that it
    ///     does not know.
    ///   - middlewares: What an action passes on its way, the last one first.
    ///   - options: Options of the underlying store: its clock, its limits, who hears of mistakes.
    public init(
        reducer: @escaping (_ action: any ActionType, _ state: State?) -> State, state: State?,
        middlewares: [Middleware<State>] = [], options: StoreOptions = StoreOptions()
    ) {
        let reduction = Reduction<State, any ActionType>(reducer)
        let onward = Onward.Store(OnwardState(state), options: options) { reduction }
        self.reduction = reduction
        self.onward = onward
        if state == nil { onward.dispatch(OnwardAction(FirstAction())) }
        let end: Dispatcher = { action in
            onward.dispatch(OnwardAction(action))
            return action
        }
        dispatch = middlewares.reduce(end) { next, middleware in middleware(self)(next) }
    }

    /// The state now; inside the reducer, the state that it was given.
    public var state: State {
        guard let state = reduction.state(of: onward) else {
            preconditionFailure(
                "The reducer that makes the first state has asked the store for it.")
        }
        return state
    }

    /// Says what happened: middleware, the last one first, then the reducer.
    ///
    /// May be called from any thread, and may be set. When it returns, ``state`` includes the action,
    /// unless a middleware kept it.
    public var dispatch: Dispatcher {
        get { dispatcher.withValue { $0 }.dispatcher }
        set {
            // What was there goes outside the lock, as it may use the store.
            var way = Way(newValue)
            dispatcher.withValue { swap(&$0, &way) }
        }
    }
}

/// The first action of a store that was made without a state.
private struct FirstAction: ActionType {}

/// The way of an action; middlewares need not be `Sendable`, as `Store` says.
private struct Way: @unchecked Sendable {
    let dispatcher: Dispatcher

    init(_ dispatcher: @escaping Dispatcher) {
        self.dispatcher = dispatcher
    }
}
