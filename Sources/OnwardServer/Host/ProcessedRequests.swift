// SPDX-License-Identifier: MIT
#if Server

import Onward

/// The newest dispatched requests of a visitor, for an app that saves its own state.
///
/// A request that comes again is answered again but not dispatched again. To make this work across
/// a restart, an app saves ``ids`` together with the state, and restores them when it opens the
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
/// An id is added before its action is dispatched, so anything saved in response to an action
/// includes it.
public final class ProcessedRequests: Sendable {
    /// The maximum number of ids; the oldest are forgotten first.
    public static let limit = 100

    private let kept = Guarded<[String]>([])

    init() {}

    /// The requests, the newest at the end; may be read from any thread.
    public var ids: [String] { kept.withValue { $0 } }

    /// Restores what an earlier run of the program saved; may be called on any thread.
    ///
    /// - Parameter ids: The requests, the newest at the end; texts that can't be request ids are
    ///   ignored.
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
