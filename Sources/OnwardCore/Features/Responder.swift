// SPDX-License-Identifier: MIT

/// Responds to actions of one type when they have been committed, for the instances at one
/// place.
///
/// A part that responds to an action handles it, too. A participant in the commits calls it.
package final class Responder: Sendable {
    package let lens: SliceLens
    /// The position among all parts of the store.
    package let order: Int
    /// The instance, where there is one that lives as long as its store.
    package let address: Address
    /// Whether it needs the state as the action left it, which its participant copies with the commit.
    package let takesState: Bool
    /// What the participant calls; its type is known to that one.
    package let target: any AnyObject & Sendable

    package init(
        _ target: any AnyObject & Sendable, at lens: SliceLens, order: Int, takesState: Bool = false
    ) {
        self.target = target
        self.takesState = takesState
        self.lens = lens
        self.order = order
        address = lens.finder == nil ? lens.address(of: []) : .root
    }
}

extension Route {
    /// The responder at an index, where an address names it; the caller keeps the route.
    ///
    /// Counting a reference to it would take 46 instructions more than the 897 of an answer with nothing.
    package func responder(at index: Int, to address: Address) -> Unmanaged<Responder>? {
        let responder = Unmanaged.passUnretained(responders[index])
        let isMeant =
            address.components.isEmpty
            || responder._withUnsafeGuaranteedRef { address.includes($0.lens.steps) }
        return isMeant ? responder : nil
    }
}

/// What middlewares need of the engine that they stand before.
protocol Dispatcher: LockedStorage {
    /// The store's clock.
    var clock: any Clock<Duration> { get }

    /// Reads a value of the state, now.
    func read<Value>(_ getter: Getter<Value>) -> Value

    /// The first instance of a lens that an address names; nil when there is none.
    func find<Slice>(at lens: SliceLens, _ address: Address) -> Slice?

    /// Takes an action through middlewares, gates and reducers.
    func dispatch(_ dispatch: borrowing Dispatch) -> DispatchResult
}

/// The rest of an action's way through the middlewares, for a middleware that holds it back.
///
/// A middleware that delays returns ``DispatchResult/withheld`` and passes the action on through
/// this later, once or several times, on any thread.
public struct DeferredDispatch: Sendable {
    private let dispatcher: any Dispatcher
    /// The features with which the action began its way.
    private let features: CompiledFeatures
    private let address: Address
    private let origin: Origin
    /// The number of the next stage.
    private let next: Int

    init(_ chain: ChainContext, behind position: UnsafePointer<MiddlewareStage>) {
        dispatcher = chain.dispatcher
        features = chain.features
        address = chain.address
        origin = chain.origin
        next = position - features.stages.first + 1
    }

    /// Passes an action on to the next middleware, or, after the last one, to the reducers.
    @discardableResult
    public func next<A: Action>(_ action: A) -> DispatchResult {
        // The actor of the first dispatch means nothing later and elsewhere.
        withExtendedLifetime(self) {
            Dispatch.with(action, to: address, from: origin, on: nil) { dispatch in
                ChainContext.with(dispatcher, features, dispatch) {
                    MiddlewareStage.handle(action, at: features.stages.first + next, in: $0)
                }
            }
        }
    }
}
