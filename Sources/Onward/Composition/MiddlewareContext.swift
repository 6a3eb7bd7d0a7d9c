// SPDX-License-Identifier: MIT

/// What a middleware can do with the action it handles, and with the store.
///
/// It may be kept and used later and from other threads, for instance to pass a delayed action on.
public struct MiddlewareContext<State: Sendable>: Sendable {
    @usableFromInline let passage: Passage
    /// The stage of the middleware in its chain.
    @usableFromInline let index: Int
    /// For a slice that has to be looked for: its value when the middleware was called.
    private let last: LastValue?

    @inline(__always)
    init(_ passage: Passage, _ index: Int, last: LastValue?) {
        self.passage = passage
        self.index = index
        self.last = last
    }

    /// The state of the feature that lists the middleware, read now.
    ///
    /// - Complexity: O(size of the state's struct), without copying what it refers to.
    public var state: State {
        let home = passage.stages.first[index].takeUnretainedValue().home
        if let last = last?.as(State.self) {
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
    @inlinable
    @discardableResult
    public func next<A: Action>(_ action: A) -> DispatchResult {
        passage.send(action, to: index + 1)
    }

    /// Dispatches an additional action through the whole chain, by default to the instance of the
    /// feature that lists the middleware.
    ///
    /// At most ``Limits/middlewareDepth`` such calls may enclose one another.
    @discardableResult
    public func dispatch<A: Action>(
        _ action: A, to address: Address? = nil, file: String = #fileID, line: Int = #line
    ) -> DispatchResult {
        let home = passage.stages.first[index].takeUnretainedValue().home
        let target = address ?? home.address(within: passage.address)
        return withUnsafePointer(to: action) { pointer in
            passage.engine.dispatch(
                A.self, pointer, to: target, from: Origin(file: file, line: line), on: nil)
        }
    }
}
