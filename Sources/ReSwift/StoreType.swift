// SPDX-License-Identifier: MIT

/// What stores can do, for code that is written for any store of some state.
public protocol StoreType: DispatchingStoreType {
    /// The state of the whole app.
    associatedtype State
    /// Called with the state after what an asynchronous action creator made was dispatched.
    associatedtype DispatchCallback
    /// Makes an action from the state, or none.
    associatedtype ActionCreator
    /// Makes action creators, at any later time.
    associatedtype AsyncActionCreator

    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The state now.
    var state: State! { get }

    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The middlewares and the reducer as one function.
    var dispatchFunction: DispatchFunction! { get }

    /// Notifies an object of the state at once, and after each action.
    func subscribe<S: StoreSubscriber>(_ subscriber: S)
    where S.StoreSubscriberStateType == State

    /// Notifies an object of what a subscription selects, at once and after each action that passes its
    /// filters.
    func subscribe<SelectedState, S: StoreSubscriber>(
        _ subscriber: S, transform: ((Subscription<State>) -> Subscription<SelectedState>)?
    ) where S.StoreSubscriberStateType == SelectedState

    /// The same for values that can be compared, where the store may skip repeated ones.
    func subscribe<SelectedState: Equatable, S: StoreSubscriber>(
        _ subscriber: S, transform: ((Subscription<State>) -> Subscription<SelectedState>)?
    ) where S.StoreSubscriberStateType == SelectedState

    /// Ends the subscription of an object.
    func unsubscribe(_ subscriber: any AnyStoreSubscriber)

    /// Dispatches what an action creator makes, if it makes anything.
    func dispatch(_ actionCreator: ActionCreator)

    /// Has an asynchronous action creator make action creators whenever it likes.
    func dispatch(_ asyncActionCreator: AsyncActionCreator)

    /// The same, and calls back with the state after each dispatch.
    func dispatch(_ asyncActionCreator: AsyncActionCreator, callback: DispatchCallback?)
}
