// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardNavigation
public import ReSwift

/// Makes a user interface show the route in the state, applying the difference between two routes
/// as pushes, pops and changes, one at a time.
///
/// The route in the state is the truth; steps are taken on the main actor, each after the previous
/// one reported that it is complete. The part that the old and the new route have in common from
/// the root on stays.
///
/// Routables need not be `Sendable`, hence `@unchecked`. Invariant: they are used on the main actor
/// only, and what is to be done is touched under a lock.
open class Router<State>: StoreSubscriber, @unchecked Sendable {
    /// Selects the navigation state of an app.
    public typealias NavigationStateTransform =
        (ReSwift.Subscription<State>) -> ReSwift.Subscription<NavigationState>

    private let walk = Guarded(RouteWalk())
    /// The routables of the segments, and at the end the one that shows the next segment.
    private var routables: [any Routable]

    /// Follows the navigation state of a store, as long as the router is held.
    public init(
        store: ReSwift.Store<State>, rootRoutable: any Routable,
        stateTransform: @escaping NavigationStateTransform
    ) {
        routables = [rootRoutable]
        store.subscribe(self, transform: stateTransform)
    }

    /// Goes to the route of a state; called by the store.
    ///
    /// A subclass that overrides it must call `super`.
    open func newState(state: NavigationState) {
        walk.withValue { $0.go(to: state.route, animated: state.changeRouteAnimated) }
        takeNextStep()
    }

    private func takeNextStep() {
        guard let step = walk.withValue({ $0.next() }) else { return }
        let completion = Completion { [self] in
            walk.withValue { $0.arrive() }
            takeNextStep()
        }
        Task { @MainActor [self] in take(step, completion) }
    }

    @MainActor
    private func take(_ step: RouteWalk.Step, _ completion: Completion) {
        let complete: RoutingCompletionHandler = { completion.call() }
        switch step.move {
        case .push(let element, let index):
            let child = routables[index].push(
                element, animated: step.animated, completion: complete)
            routables.append(child)
        case .pop(let element, let index):
            routables[index].pop(element, animated: step.animated, completion: complete)
            routables.removeLast()
        case .change(let element, let other, let index):
            routables[index + 1] = routables[index].change(
                element, to: other, animated: step.animated, completion: complete)
        }
    }
}
