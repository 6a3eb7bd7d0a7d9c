// SPDX-License-Identifier: MIT

/// What a middleware can do with the action it handles, and with the store.
///
/// It is lent for the call and cannot be kept; ``deferred()`` makes something that can, for instance
/// to pass a delayed action on. (Because it is lent, a stage needs no reference counting.)
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
    public var origin: Origin { chain.pointee.origin }

    /// The store's clock.
    public var clock: any Clock<Duration> { dispatcher.clock }

    /// Passes an action on to the next middleware, after the last one to the reducers.
    ///
    /// The action may be another one than that which came in.
    ///
    /// - Returns: what became of it; when it was accepted, ``state`` includes it.
    @inlinable @inline(__always)
    @discardableResult
    public func next<A: Action>(_ action: A) -> DispatchResult {
        MiddlewareStage.handle(action, at: position + 1, in: chain)
    }

    /// Dispatches an additional action through the whole chain, by default to the instance of the
    /// feature that lists the middleware.
    ///
    /// At most ``Limits/middlewareDepth`` such calls may enclose one another.
    @discardableResult
    public func dispatch<A: Action>(
        _ action: A, to address: Address? = nil, file: String = #fileID, line: Int = #line
    ) -> DispatchResult {
        let target = address ?? lens.address(within: self.address)
        return withUnsafePointer(to: action) { pointer in
            dispatcher.dispatch(
                A.self, pointer, to: target, from: Origin(file: file, line: line), on: nil)
        }
    }

    /// The rest of the action's way, to be gone later and from any thread.
    public func deferred() -> DeferredDispatch {
        DeferredDispatch(chain.pointee, behind: position)
    }
}
