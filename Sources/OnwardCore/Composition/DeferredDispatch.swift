// SPDX-License-Identifier: MIT

/// The rest of an action's way through the middlewares, for one that holds an action back.
///
/// A middleware that delays returns ``DispatchResult/withheld`` and passes the action on through
/// this later, once or several times, on any thread.
public struct DeferredDispatch: Sendable {
    private let passage: Passage
    private let index: Int

    init(_ passage: Passage, _ index: Int) {
        self.passage = passage
        self.index = index
    }

    /// Passes an action on to the next middleware, after the last one to the reducers.
    @discardableResult
    public func next<A: Action>(_ action: A) -> DispatchResult {
        passage.send(action, to: index + 1)
    }
}
