// SPDX-License-Identifier: MIT

public import Onward
public import OnwardBridge

/// Owns the state of an app written for ReSwift; a thin shell over an Onward store.
///
/// ```swift
/// let store = Store(reducer: appReducer, state: nil)
/// store.dispatch(Deposit(amount: 50))
/// ```
///
/// Everything that reads the log attaches to ``onward``. The class keeps that store's promises: it
/// may be used from any thread, and subscribers are notified of states in order, and in the order
/// in which they subscribed, even when a subscriber dispatches.
///
/// States and actions need not be `Sendable`, nor need middlewares, hence `@unchecked`. Invariant:
/// this class touches its own variables under a lock; what it calls, it calls as the underlying
/// store promises: reducers one at a time, subscribers one at a time, middleware and action
/// creators on the thread that dispatches.
open class Store<State>: StoreType, @unchecked Sendable {
    /// Called with the state after an action from an asynchronous action creator was dispatched.
    public typealias DispatchCallback = (State) -> Void
    /// Makes an action from the state, or none.
    public typealias ActionCreator = (_ state: State, _ store: Store) -> (any Action)?
    /// Makes action creators and hands them to its callback, at any later time.
    public typealias AsyncActionCreator = (
        _ state: State, _ store: Store,
        _ actionCreatorCallback: @escaping ((ActionCreator) -> Void)
    ) -> Void

    /// The underlying store, for everything that reads or controls the log.
    ///
    /// An action dispatched here directly bypasses ``middleware``.
    public let onward: Onward.Store<OnwardState<State>>

    private let reduction: Reduction<State, any Action>
    @usableFromInline let subscribers = SubscriberList<ObjectIdentifier>()
    @usableFromInline let automaticallySkipsRepeats: Bool
    private let chain = Guarded(DispatchChain(dispatch: { _ in }, stage: .toBeComposed))
    private let links: Guarded<Links>
    private let composing = Claim()
    private let callSites = CallSites()
    @usableFromInline let thread: DeliveryThread

    /// Makes a store with a reducer, an initial state and middlewares.
    ///
    /// - Parameters:
    ///   - reducer: Makes the states.
    ///   - state: The initial state; without one, ``ReSwiftInit`` is dispatched and the reducer
    ///     makes it.
    ///   - middleware: The middlewares, in the order in which actions pass through them.
    ///   - automaticallySkipsRepeats: Whether subscribers of `Equatable` values are notified of
    ///     changes only.
    public required init(
        reducer: @escaping Reducer<State>, state: State?, middleware: [Middleware<State>] = [],
        automaticallySkipsRepeats: Bool = true
    ) {
        reduction = Reduction(reducer)
        onward = Self.makeStore(state, reduction, StoreOptions())
        links = Guarded(Links(middleware: middleware))
        thread = .automatic
        self.automaticallySkipsRepeats = automaticallySkipsRepeats
        if self.state == nil { dispatch(ReSwiftInit()) }
    }

    /// Makes a store with options of the underlying store, and the thread that calls the
    /// subscribers.
    ///
    /// - Parameters:
    ///   - reducer: Makes the states.
    ///   - state: The initial state; without one, ``ReSwiftInit`` is dispatched and the reducer
    ///     makes it.
    ///   - middleware: The middlewares, in the order in which actions pass through them.
    ///   - automaticallySkipsRepeats: Whether subscribers of `Equatable` values are notified of
    ///     changes only.
    ///   - options: The clock, the limits, the handler of mistakes. A chain of subscribers that
    ///     dispatch may have 100,000 links, unless `limits.generations` differs from that of an
    ///     Onward store.
    ///   - delivery: The thread on which subscribers are called.
    public init(
        reducer: @escaping Reducer<State>, state: State?, middleware: [Middleware<State>] = [],
        automaticallySkipsRepeats: Bool = true, options: StoreOptions = StoreOptions(),
        delivery: SubscriberDelivery = .automatic
    ) {
        reduction = Reduction(reducer)
        onward = Self.makeStore(state, reduction, options)
        links = Guarded(Links(middleware: middleware))
        thread = delivery.thread
        self.automaticallySkipsRepeats = automaticallySkipsRepeats
        if self.state == nil { dispatch(ReSwiftInit()) }
    }

    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The current state; inside the reducer, the state that was passed to it.
    ///
    /// It is nil only until the reducer has made the first state.
    public var state: State! { reduction.state(of: onward) }

    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The middlewares and the reducer as one function, through which all actions pass.
    ///
    /// It is made by the first dispatch or the first read, which calls each middleware once. Other
    /// threads that dispatch meanwhile wait, so a middleware must not wait for them while it is set
    /// up; what it dispatches itself at that moment goes directly to the reducer. A function that
    /// is set stays until ``middleware`` is set.
    public var dispatchFunction: DispatchFunction! {
        get {
            let chain = chain.withValue { $0 }
            return chain.stage == .toBeComposed ? composed() : chain.dispatch
        }
        set {
            // What was there is released outside the lock, as it may use the store.
            var other = DispatchChain(dispatch: newValue ?? { _ in }, stage: .composed)
            chain.withValue { swap(&$0, &other) }
        }
    }

    /// The middlewares, in the order in which actions pass through them; may be set at any time.
    public var middleware: [Middleware<State>] {
        get { links.withValue { $0 }.middleware }
        set {
            dispatchFunction = composition(of: newValue)
            var other = Links(middleware: newValue)
            links.withValue { swap(&$0, &other) }
        }
    }

    /// Notifies an object of the state at once, and after each action.
    open func subscribe<S: StoreSubscriber>(_ subscriber: S)
    where S.StoreSubscriberStateType == State {
        subscribe(subscriber, transform: nil)
    }

    /// Notifies an object of what a subscription selects, at once and after each action that passes
    /// its filters.
    ///
    /// The object is held weakly. Subscribing again replaces the subscription.
    open func subscribe<SelectedState, S: StoreSubscriber>(
        _ subscriber: S, transform: ((Subscription<State>) -> Subscription<SelectedState>)?
    ) where S.StoreSubscriberStateType == SelectedState {
        add(subscriber, transform)
    }

    /// Ends the subscription of an object; does nothing if there is none.
    open func unsubscribe(_ subscriber: any AnyStoreSubscriber) {
        subscribers.remove(ObjectIdentifier(subscriber))
    }

    // swift-format-ignore: NoLeadingUnderscores
    /// Commits an action: the last step of every dispatch.
    ///
    /// Calling it inside a reducer is a programmer error: it is reported, and the action is refused.
    open func _defaultDispatch(action: any Action) {
        onward.commit(OnwardAction(action), from: callSites)
    }

    /// Dispatches an action: middleware runs first, then the reducer, then subscribers.
    ///
    /// Call it from any thread. When it returns, ``state`` includes the action, unless a middleware
    /// withheld it. Subscribers have been called as well, unless one of them called this or another
    /// thread is delivering; then they are called after those calls.
    open func dispatch(_ action: any Action) {
        guard chain.withValue({ $0.stage }) != .direct else {
            return _defaultDispatch(action: action)
        }
        dispatchFunction(action)
    }

    /// Dispatches what an action creator makes, if it makes anything.
    open func dispatch(_ actionCreatorProvider: @escaping ActionCreator) {
        if let action = actionCreatorProvider(state, self) { dispatch(action) }
    }

    /// Runs an asynchronous action creator, which may make action creators at any time.
    open func dispatch(_ asyncActionCreatorProvider: @escaping AsyncActionCreator) {
        dispatch(asyncActionCreatorProvider, callback: nil)
    }

    /// Runs an asynchronous action creator, and calls back with the state after each dispatch.
    open func dispatch(
        _ actionCreatorProvider: @escaping AsyncActionCreator, callback: DispatchCallback?
    ) {
        actionCreatorProvider(state, self) { actionProvider in
            guard let action = actionProvider(self.state, self) else { return }
            self.dispatch(action)
            callback?(self.state)
        }
    }
}

extension Store {
    private static func makeStore(
        _ state: State?, _ reduction: Reduction<State, any Action>, _ options: StoreOptions
    ) -> Onward.Store<OnwardState<State>> {
        Onward.Store(OnwardState(state), options: options.forLongChains) { reduction }
    }

    /// The dispatch function, made now unless another thread just did.
    private func composed() -> DispatchFunction {
        let made = composing.run { () -> DispatchChain in
            let present = chain.withValue { $0 }
            if present.stage != .toBeComposed { return present }
            let middleware = middleware
            let composition = DispatchChain(
                dispatch: composition(of: middleware),
                stage: middleware.isEmpty ? .direct : .composed)
            // One that was set meanwhile stays.
            return chain.withValue { chain in
                if chain.stage == .toBeComposed { chain = composition }
                return chain
            }
        }
        return made?.dispatch ?? end
    }

    /// The middlewares around the end of the way; they hold this store weakly, as they may pass an
    /// action on when it is gone.
    private func composition(of middleware: [Middleware<State>]) -> DispatchFunction {
        middleware.reversed().reduce(end) { next, middleware in
            middleware({ [weak self] in self?.dispatch($0) }, { [weak self] in self?.state })(next)
        }
    }

    private var end: DispatchFunction {
        { [weak self] in self?._defaultDispatch(action: $0) }
    }

    /// The middlewares; not `Sendable`, as `DispatchChain` says.
    fileprivate struct Links: @unchecked Sendable {
        let middleware: [Middleware<State>]
    }
}
