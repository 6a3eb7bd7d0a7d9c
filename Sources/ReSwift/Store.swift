// SPDX-License-Identifier: MIT

public import Onward
public import OnwardBridge

/// Owns the state of an app that is written against ReSwift; a thin shell over a store of Onward.
///
/// ```swift
/// let store = Store(reducer: appReducer, state: nil)
/// store.dispatch(Deposit(amount: 50))
/// ```
///
/// Everything that reads the log attaches to ``onward``. The class keeps the promises of that store: it
/// may be used from any thread, subscribers are notified of states in their order and in the order in which
/// they subscribed, even when a subscriber dispatches.
///
/// States and actions need not be `Sendable`, nor need middlewares, hence `@unchecked`. Invariant:
/// this class touches its own variables under a lock; what it calls, it calls as the underlying store
/// promises: reducers one at a time, subscribers one at a time, middleware and action creators on the
/// thread that dispatches.
open class Store<State>: StoreType, @unchecked Sendable {
    /// Called with the state after what an asynchronous action creator made was dispatched.
    public typealias DispatchCallback = (State) -> Void
    /// Makes an action of the state, or none.
    public typealias ActionCreator = (_ state: State, _ store: Store) -> (any Action)?
    /// Makes action creators and hands them to its callback, at any later time.
    public typealias AsyncActionCreator = (
        _ state: State, _ store: Store,
        _ actionCreatorCallback: @escaping ((ActionCreator) -> Void)
    ) -> Void

    /// The store underneath, for everything that reads or steers the log.
    ///
    /// An action that is dispatched here directly passes no ``middleware``.
    public let onward: Onward.Store<OnwardState<State>>

    private let reduction: Reduction<State, any Action>
    @usableFromInline let subscribers = SubscriberList<ObjectIdentifier>()
    @usableFromInline let automaticallySkipsRepeats: Bool
    private let chain = Guarded(DispatchChain(dispatch: { _ in }, stage: .toBeComposed))
    private let links: Guarded<Links>
    private let composing = Claim()
    private let callSites = CallSites()
    @usableFromInline let thread: DeliveryThread

    /// A store with a reducer, a first state and middlewares.
    ///
    /// - Parameters:
    ///   - reducer: Makes the states.
    ///   - state: The first state; without one ``ReSwiftInit`` is dispatched, and the reducer makes it.
    ///   - middleware: What an action passes on its way, the first one first.
    ///   - automaticallySkipsRepeats: Whether subscribers of values that can be compared are notified of
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

    /// The same with options of the underlying store, and the thread that calls the subscribers.
    ///
    /// - Parameters:
    ///   - reducer: Makes the states.
    ///   - state: The first state; without one ``ReSwiftInit`` is dispatched, and the reducer makes it.
    ///   - middleware: What an action passes on its way, the first one first.
    ///   - automaticallySkipsRepeats: Whether subscribers of values that can be compared are notified of
    ///     changes only.
    ///   - options: The clock, the limits, the handler of mistakes. A chain of subscribers that dispatch
    ///     may have 100,000 links, unless `limits.generations` is another number than that of a store of
    ///     Onward.
    ///   - delivery: On which thread subscribers are called.
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
    /// The state now; inside the reducer, the state that it was given.
    ///
    /// Nil only before the reducer made the first one.
    public var state: State! { reduction.state(of: onward) }

    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The middlewares and the reducer as one function, through which all actions go.
    ///
    /// Made by the first dispatch, or when it is first read: that calls each middleware once. Other threads
    /// that dispatch meanwhile wait, so a middleware must not wait for them while it is set up; what it
    /// dispatches itself in that moment goes to the reducer directly. One that is set stays until
    /// ``middleware`` is set.
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

    /// What an action passes on its way, the first one first; may be set at any time.
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

    /// Notifies an object of what a subscription selects, at once and after each action that passes its
    /// filters.
    ///
    /// The object is held weakly. Subscribing again replaces the subscription.
    open func subscribe<SelectedState, S: StoreSubscriber>(
        _ subscriber: S, transform: ((Subscription<State>) -> Subscription<SelectedState>)?
    ) where S.StoreSubscriberStateType == SelectedState {
        add(subscriber, transform)
    }

    /// Ends the subscription of an object; nothing happens if it has none.
    open func unsubscribe(_ subscriber: any AnyStoreSubscriber) {
        subscribers.remove(ObjectIdentifier(subscriber))
    }

    // swift-format-ignore: NoLeadingUnderscores
    /// Commits an action: the end of every action's way.
    ///
    /// Misuse: inside a reducer it is reported, and the action refused.
    open func _defaultDispatch(action: any Action) {
        onward.commit(OnwardAction(action), from: callSites)
    }

    /// Says what happened: middleware, then the reducer, then subscribers.
    ///
    /// From any thread. When it returns, ``state`` includes the action, unless a middleware kept it.
    /// Subscribers were called as well, unless this was called by one of them or another thread is
    /// delivering; then they are called after those calls.
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

    /// Has an asynchronous action creator make action creators whenever it likes.
    open func dispatch(_ asyncActionCreatorProvider: @escaping AsyncActionCreator) {
        dispatch(asyncActionCreatorProvider, callback: nil)
    }

    /// The same, and calls back with the state after each dispatch.
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
