// SPDX-License-Identifier: MIT

/// What a middleware can do with the action it handles, and with the store.
///
/// It is lent for the call and cannot be kept; ``deferred()`` makes something that can, for instance
/// to pass a delayed action on. (Being lent is what makes a stage cost no reference counting.)
public struct MiddlewareContext<State: Sendable>: ~Copyable {
    /// Alive for the whole call, as `Engine.runChain` or a `DeferredDispatch` holds it.
    @usableFromInline let borrowedPassage: Unmanaged<Passage>
    /// The stage of the middleware in its chain.
    @usableFromInline let index: Int
    /// For a slice that has to be looked for: its value when the middleware was called.
    ///
    /// Alive for the whole call, as the stage holds it.
    private let borrowedLast: Unmanaged<LastValue>?

    @inline(__always)
    init(_ passage: Passage, _ index: Int, last: LastValue?) {
        borrowedPassage = .passUnretained(passage)
        self.index = index
        borrowedLast = last.map { .passUnretained($0) }
    }

    private var passage: Passage { borrowedPassage.takeUnretainedValue() }

    /// The state of the feature that lists the middleware, read now.
    ///
    /// - Complexity: O(size of the state's struct), without copying what it refers to.
    public var state: State {
        let home = passage.home(of: index)
        if let last = borrowedLast?.takeUnretainedValue().as(State.self) {
            return passage.engine.find(at: home, passage.address) ?? last
        }
        return passage.engine.read(Projection(range: home.range, derive: nil))
    }

    /// The instance that the action is meant for.
    public var address: Address { passage.address }

    /// Where the action was dispatched.
    public var origin: Origin { passage.origin }

    /// The store's clock.
    public var clock: any Clock<Duration> { passage.engine.options.clock }

    /// Passes an action on to the next middleware, after the last one to the reducers.
    ///
    /// The action may be another one than that which came in.
    ///
    /// - Returns: what became of it; when it was accepted, ``state`` includes it.
    @inlinable @inline(__always)
    @discardableResult
    public func next<A: Action>(_ action: A) -> DispatchResult {
        borrowedPassage._withUnsafeGuaranteedRef { $0.send(action, to: index + 1) }
    }

    /// Dispatches an additional action through the whole chain, by default to the instance of the
    /// feature that lists the middleware.
    ///
    /// At most ``Limits/middlewareDepth`` such calls may enclose one another.
    @discardableResult
    public func dispatch<A: Action>(
        _ action: A, to address: Address? = nil, file: String = #fileID, line: Int = #line
    ) -> DispatchResult {
        let target = address ?? passage.home(of: index).address(within: passage.address)
        return withUnsafePointer(to: action) { pointer in
            passage.engine.dispatch(
                A.self, pointer, to: target, from: Origin(file: file, line: line), on: nil)
        }
    }

    /// The rest of the action's way, to be gone later and from any thread.
    public func deferred() -> DeferredDispatch {
        DeferredDispatch(passage.deferred(), index)
    }
}
