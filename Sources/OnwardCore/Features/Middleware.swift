// SPDX-License-Identifier: MIT

/// Sees every action before the reducers; may pass it on, change, delay or drop it, or add others.
///
/// Middleware runs on the dispatching thread, outside the store's lock, possibly on several threads
/// at once. It does not run during replay: the log stores what left the chain.
///
/// ```swift
/// struct Stopwatch<State: Sendable>: Middleware {
///     func handle<A: Action>(
///         _ action: A, in context: borrowing MiddlewareContext<State>
///     ) -> DispatchResult {
///         let start = ContinuousClock.now
///         let result = context.next(action)
///         print(A.actionName, start.duration(to: .now))
///         return result
///     }
/// }
/// ```
public protocol Middleware<State>: Part {
    /// The state of the feature that lists the middleware.
    ///
    /// Declared here again, so that it is inferred from ``handle(_:in:)``.
    associatedtype State

    /// Handles an action; calls `context.next` to pass it on, or returns
    /// ``DispatchResult/withheld`` to keep it.
    func handle<A: Action>(_ action: A, in context: borrowing MiddlewareContext<State>)
        -> DispatchResult
}

extension Middleware {
    /// Adds the middleware after those listed before it.
    public func register(in registration: inout Registration<State>) {
        registration.use(self)
    }
}

/// What a middleware can do with the action it handles, and with the store.
///
/// It is borrowed for the call and cannot be kept; ``deferred()`` makes a value that can, for
/// instance to pass a delayed action on. (Because it is borrowed, a stage needs no reference
/// counting.)
public struct MiddlewareContext<State: Sendable>: ~Copyable {
    /// Valid for the whole call, as is the position.
    @usableFromInline let chain: UnsafePointer<ChainContext>
    /// The stage of the middleware in its chain.
    @usableFromInline let position: UnsafePointer<MiddlewareStage>

    @inlinable @inline(__always)
    init(
        _ chain: UnsafePointer<ChainContext>, _ position: UnsafePointer<MiddlewareStage>
    ) {
        self.chain = chain
        self.position = position
    }

    private var dispatcher: any Dispatcher { chain.pointee.dispatcher }
    private var lens: SliceLens { position.pointee.lens }

    /// The state of the feature that lists the middleware, read now.
    ///
    /// - Complexity: O(size of the state's struct), without copying what it refers to.
    public var state: State {
        // There may also be the last value of an earlier stage.
        if lens.finder != nil, let last = chain.pointee.last?.as(State.self) {
            return find() ?? last
        }
        return dispatcher.read(Getter(range: lens.range, derive: nil))
    }

    /// The state of a feature that has to be looked for; nil when it is not there.
    func find() -> State? { dispatcher.find(at: lens, address) }

    /// The instance that the action is meant for.
    public var address: Address { chain.pointee.address }

    /// Where the action was dispatched.
    public var origin: ActionOrigin { chain.pointee.origin }

    /// The store's clock.
    public var clock: any Clock<Duration> { dispatcher.clock }

    /// Passes an action on to the next middleware or, after the last one, to the reducers.
    ///
    /// The action may differ from the one that came in.
    ///
    /// - Returns: The outcome; if the action was accepted, ``state`` includes it.
    @inlinable @inline(__always)
    @discardableResult
    public func next<A: Action>(_ action: A) -> DispatchResult {
        MiddlewareStage.handle(action, at: position + 1, in: chain)
    }

    /// Dispatches an additional action through the whole chain, by default to the instance of the
    /// feature that lists the middleware.
    ///
    /// At most ``StoreLimits/middlewareDepth`` such calls may be nested.
    @discardableResult
    public func dispatch<A: Action>(
        _ action: A, to address: Address? = nil, file: String = #fileID, line: Int = #line
    ) -> DispatchResult {
        let target = address ?? lens.address(within: self.address)
        return Dispatch.with(
            action, to: target, from: ActionOrigin(file: file, line: line), on: nil
        ) {
            dispatcher.dispatch($0)
        }
    }

    /// The rest of the action's path, to be continued later and from any thread.
    public func deferred() -> DeferredDispatch {
        DeferredDispatch(chain.pointee, behind: position)
    }
}

/// The rest of an action's path through the middlewares, for a middleware that holds it back.
///
/// A middleware that delays an action returns ``DispatchResult/withheld`` and passes the action on
/// through this value later, once or several times, on any thread.
public struct DeferredDispatch: Sendable {
    private let dispatcher: any Dispatcher
    /// The features with which the action started.
    private let features: CompiledFeatures
    private let address: Address
    private let origin: ActionOrigin
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
        // The actor of the first dispatch means nothing at a later time or in another place.
        withExtendedLifetime(self) {
            Dispatch.with(action, to: address, from: origin, on: nil) { dispatch in
                ChainContext.with(dispatcher, features, dispatch) {
                    MiddlewareStage.handle(action, at: features.stages.first + next, in: $0)
                }
            }
        }
    }
}

/// What middlewares need from the engine in front of which they run.
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

/// What an action carries through the middlewares of a store.
///
/// It lies on the stack of the thread that dispatches and is passed by pointer. Everything that it
/// refers to is kept by the sender of the action, so that neither it nor a stage counts references:
/// with several middlewares, that would be a good part of what passing an action on takes.
@usableFromInline
struct ChainContext {
    /// What the action goes to.
    unowned(unsafe) let dispatcher: any Dispatcher
    /// The same object, for the end of the chain.
    let target: Unmanaged<LockedStorage>
    private let unownedFeatures: Unmanaged<CompiledFeatures>
    /// The dispatch with which the chain began; middlewares may have made another action of it.
    let dispatch: UnsafePointer<Dispatch>
    /// For a stage that had to look for its slice: the slice's value when the action came to it.
    private var borrowedLast: Unmanaged<AnyLastKnownValue>?

    /// Calls `body` with a context on the stack.
    ///
    /// The caller keeps the dispatcher and the features meanwhile.
    @inline(__always)
    static func with<R>(
        _ dispatcher: any Dispatcher, _ features: CompiledFeatures,
        _ dispatch: borrowing Dispatch, _ body: (UnsafePointer<ChainContext>) -> R
    ) -> R {
        withUnsafePointer(to: dispatch) { dispatch in
            let chain = ChainContext(
                dispatcher: dispatcher,
                target: .passUnretained(dispatcher),
                unownedFeatures: .passUnretained(features),
                dispatch: dispatch,
                borrowedLast: nil)
            return withUnsafePointer(to: chain, body)
        }
    }

    /// The features that have the stages.
    var features: CompiledFeatures { unownedFeatures.takeUnretainedValue() }
    var address: Address { dispatch.pointee.address }
    var origin: ActionOrigin { dispatch.pointee.origin }
    /// The actor from which the action was dispatched.
    var isolation: (any Actor)? { dispatch.pointee.isolation }
    var last: AnyLastKnownValue? { borrowedLast?.takeUnretainedValue() }

    /// The same context with the last value of a slice, which the caller keeps.
    func with(_ last: AnyLastKnownValue) -> ChainContext {
        var copy = self
        copy.borrowedLast = .passUnretained(last)
        return copy
    }
}

/// One stage of a chain: a middleware without its type, or the end behind the last one.
///
/// It calls the middleware's own `handle`, with only the look-up of a protocol's requirement in
/// between.
@usableFromInline
struct MiddlewareStage {
    @usableFromInline let type: any Middleware.Type
    /// A `TypedMiddleware` of that type; kept alive by the compiled features.
    ///
    /// Not counted: that would take longer than passing an action on.
    @usableFromInline let middleware: Unmanaged<AnyMiddleware>

    /// The place of the feature that lists the middleware.
    var lens: SliceLens { middleware._withUnsafeGuaranteedRef(\.lens) }

    /// Has the middleware at a position of a chain handle an action.
    @inlinable @inline(__always)
    static func handle<A: Action>(
        _ action: A, at position: UnsafePointer<MiddlewareStage>,
        in chain: UnsafePointer<ChainContext>
    ) -> DispatchResult {
        @inline(__always)
        func open<M: Middleware>(_ type: M.Type) -> DispatchResult {
            // It is one of that type.
            Unmanaged<TypedMiddleware<M>>.fromOpaque(position.pointee.middleware.toOpaque())
                ._withUnsafeGuaranteedRef {
                    $0.middleware.handle(action, in: MiddlewareContext(chain, position))
                }
        }
        return open(position.pointee.type)
    }
}

/// The stages of a store in their order: plain memory that the compiled features own, so that going
/// through it counts no references.
struct Stages: @unchecked Sendable {  // Written in `init` only.
    let first: UnsafePointer<MiddlewareStage>
    /// The number of middlewares; behind the last one stands the end.
    let count: Int

    init(_ middlewares: [AnyMiddleware], end: some Middleware<Void>) {
        count = middlewares.count
        let all = middlewares + [TypedMiddleware(end, at: .root(Void.self))]
        let memory = UnsafeMutablePointer<MiddlewareStage>.allocate(capacity: all.count)
        for (index, middleware) in all.enumerated() {
            (memory + index).initialize(
                to: MiddlewareStage(type: middleware.type, middleware: .passRetained(middleware)))
        }
        first = UnsafePointer(memory)
    }

    /// Frees the memory; the stages must not be used again.
    func destroy() {
        for index in 0...count { first[index].middleware.release() }
        first.deallocate()
    }
}

/// A middleware as the compiled features keep it, without its type.
@usableFromInline
class AnyMiddleware: @unchecked Sendable {  // Immutable, here and in its subclass.
    /// The slice of the feature that lists the middleware.
    final let lens: SliceLens
    final let type: any Middleware.Type

    fileprivate init(_ type: any Middleware.Type, at lens: SliceLens) {
        self.lens = lens
        self.type = type
    }
}

/// A middleware as the compiled features keep it.
@usableFromInline
final class TypedMiddleware<M: Middleware>: AnyMiddleware, @unchecked Sendable {  // Immutable.
    @usableFromInline let middleware: M

    init(_ middleware: M, at lens: SliceLens) {
        self.middleware = middleware
        super.init(M.self, at: lens)
    }
}

/// A middleware of a slice that has to be looked for: a computed property, an optional, a row.
///
/// While there is no such slice the action passes by. For a slice that goes away meanwhile, the
/// context keeps showing its last value. Each look copies the root state's struct.
struct SearchingMiddleware<M: Middleware>: Middleware {
    let middleware: M

    func handle<A: Action>(
        _ action: A, in context: borrowing MiddlewareContext<M.State>
    ) -> DispatchResult {
        guard let found = context.find() else { return context.next(action) }
        let last = AnyLastKnownValue(found)
        let chain = context.chain.pointee.with(last)
        let position = context.position
        return withExtendedLifetime(last) {
            withUnsafePointer(to: chain) {
                middleware.handle(action, in: MiddlewareContext($0, position))
            }
        }
    }
}

/// The last value of a slice that has to be looked for.
final class AnyLastKnownValue: Sendable {
    private let value: any Sendable

    init(_ value: any Sendable) {
        self.value = value
    }

    func `as`<Value>(_ type: Value.Type) -> Value? { value as? Value }
}
