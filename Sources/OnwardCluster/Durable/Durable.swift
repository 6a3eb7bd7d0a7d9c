// SPDX-License-Identifier: MIT

public import Onward

/// Work with the outside world that a ``ClusteredStore`` begins again until it has ended, whichever node dies.
///
/// ```swift
/// Durable { (action: ShopAction) -> Order? in
///     if case .ordered(let order) = action { order } else { nil }
/// } run: { order, context in
///     try await bank.charge(order.sum, key: "\(context.id)")
///     await context.propose(ShopAction.paid(order.id))
/// }
/// ```
///
/// The first closure says what an action begins; nil for nothing. It is asked on every node, whenever the log is
/// folded, so it has to be as pure as a reducer: what it says depends on the action alone.
///
/// The second closure does it, at the node that owns the store, once the action's entry is acknowledged. Its end is an
/// entry too. Until that is in the log, the work is begun again: by the same node with growing pauses where it
/// throws, by another one where that takes over. So it is done **at least once**: hand ``DurableContext/id``, which is
/// the same each time, to whoever has to notice that. Work that can never succeed has to catch its error and
/// propose what follows from it, or it is tried for ever.
///
/// It is asked about each action of its type, whichever instance it is for: ``DurableContext/address`` says that. An
/// owner takes no actions that begin work while ``ClusterLimits/waiting`` of them haven't ended, and refuses them as
/// ``ProposalRefusal/overloaded``.
///
/// Nothing but a clustered store does such work: in any other store nothing happens.
public struct Durable<State: Sendable, A: Action & Decodable, Work: Sendable>: Part {
    private let kind: DurableKind

    /// Work that actions of a type begin.
    ///
    /// - Parameters:
    ///   - work: What an action begins; nil for nothing. Pure: it is asked on every node, again and again.
    ///   - run: Does it, in a task of its own, on no actor. It is cancelled when the node loses the store. What it throws
    ///     goes to `StoreOptions.effectError`, and it runs again a little later.
    public init(
        _ work: @escaping @Sendable (A) -> Work?,
        run: @escaping @Sendable (Work, DurableContext) async throws -> Void
    ) {
        kind = DurableKind(name: A.actionName) { action in
            guard let action = action as? A, let work = work(action) else { return nil }
            return { try await run(work, $0) }
        }
    }

    /// Registers the work for `A`.
    public func register(in registration: inout Registration<State>) {
        registration.compiler.add(kind)
    }
}

/// What a `Durable` registers, without its types.
struct DurableKind: FeatureExtension {
    typealias Body = @Sendable (DurableContext) async throws -> Void

    /// The name of the actions that may begin it.
    let name: String
    /// What an action begins; nil for nothing.
    let body: @Sendable (any Action) -> Body?
}
