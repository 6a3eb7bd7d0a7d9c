// SPDX-License-Identifier: MIT
#if Server

import Onward

/// The newest requests of a visitor that were dispatched, for an app that keeps its state.
///
/// A request that comes again is answered again and not dispatched again. So that this holds across a
/// restart, an app saves ``ids`` together with the state, and gives them back when it opens the
/// visitor's store:
///
/// ```swift
/// open: { visitor, isNew, requests in
///     let saved = isNew ? nil : load(visitor)
///     requests.restore(saved?.requests ?? [])
///     return Store(State(saved)) { feature(save: { save($0, requests.ids, visitor) }) }
/// }
/// ```
///
/// An id is there before its action is dispatched: anything that is saved in answer to an action has
/// it.
public final class AnsweredRequests: Sendable {
    /// How many are kept; the oldest are forgotten first.
    public static let limit = 100

    private let kept = Guarded<[String]>([])

    init() {}

    /// The requests, the newest at the end; any thread.
    public var ids: [String] { kept.withValue { $0 } }

    /// Takes over what an earlier run of the program has saved; any thread.
    ///
    /// - Parameter ids: The requests, the newest at the end; what can't be a request's id is left out.
    public func restore(_ ids: [String]) {
        let ids = ids.filter(Post.isID).suffix(Self.limit)
        kept.withValue { $0 = Array(ids) }
    }

    func contains(_ id: String) -> Bool { kept.withValue { $0.contains(id) } }

    func add(_ id: String) {
        kept.withValue { kept in
            if kept.count >= Self.limit { kept.removeFirst() }
            kept.append(id)
        }
    }

    func remove(_ id: String) { kept.withValue { kept in kept.removeAll { $0 == id } } }
}
#endif
