// SPDX-License-Identifier: MIT

/// The interface of stores, for code that works with any store of some state.
public protocol StoreType: DispatchingStoreType {
    /// The state of the whole app.
    associatedtype State
    /// Called with the state after an action from an asynchronous action creator was dispatched.
    associatedtype DispatchCallback
    /// Makes an action from the state, or none.
    associatedtype ActionCreator
    /// Makes action creators, at any later time.
    associatedtype AsyncActionCreator

    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The current state.
    var state: State! { get }

    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The middlewares and the reducer as one function.
    var dispatchFunction: DispatchFunction! { get }

    /// Notifies an object of the state at once, and after each action.
    func subscribe<S: StoreSubscriber>(_ subscriber: S)
    where S.StoreSubscriberStateType == State

    /// Notifies an object of what a subscription selects, at once and after each action that passes
    /// its filters.
    func subscribe<SelectedState, S: StoreSubscriber>(
        _ subscriber: S, transform: ((Subscription<State>) -> Subscription<SelectedState>)?
    ) where S.StoreSubscriberStateType == SelectedState

    /// The same for `Equatable` values, of which the store may skip repeated ones.
    func subscribe<SelectedState: Equatable, S: StoreSubscriber>(
        _ subscriber: S, transform: ((Subscription<State>) -> Subscription<SelectedState>)?
    ) where S.StoreSubscriberStateType == SelectedState

    /// Ends the subscription of an object.
    func unsubscribe(_ subscriber: any AnyStoreSubscriber)

    /// Dispatches what an action creator makes, if it makes anything.
    func dispatch(_ actionCreator: ActionCreator)

    /// Runs an asynchronous action creator, which may make action creators at any time.
    func dispatch(_ asyncActionCreator: AsyncActionCreator)

    /// Runs an asynchronous action creator, and calls back with the state after each dispatch.
    func dispatch(_ asyncActionCreator: AsyncActionCreator, callback: DispatchCallback?)
}
