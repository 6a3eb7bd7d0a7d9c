// SPDX-License-Identifier: MIT

public import Onward

/// External work that a ``ClusteredStore`` restarts until it has ended, whichever node dies.
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
/// The first closure returns the work that an action begins, or nil for none. It is called on every
/// node, whenever the log is folded, so it has to be as pure as a reducer: its result may depend
/// only on the action.
///
/// The second closure performs the work, at the node that owns the store, once the action's entry
/// is acknowledged. The end of the work is an entry too. Until that is in the log, the work is
/// restarted: by the same node with growing pauses if it throws, by another node if that takes
/// over. So it is performed **at least once**: pass ``DurableContext/id``, which is the same each
/// time, to whoever has to detect repetitions. Work that can never succeed must catch its error and
/// propose what follows from it, or it is retried forever.
///
/// The first closure is called for each action of its type, whichever instance it is for:
/// ``DurableContext/address`` identifies that. While ``ClusterLimits/waiting`` of these actions
/// have work that hasn't ended, an owner refuses others that begin work as
/// ``ProposalRefusal/overloaded``.
///
/// Only a clustered store does such work: in any other store nothing happens.
public struct Durable<State: Sendable, A: Action & Decodable, Work: Sendable>: Part {
    private let kind: DurableKind

    /// Creates work that actions of a type begin.
    ///
    /// - Parameters:
    ///   - work: The work that an action begins; nil for none. Pure: it is called on every node,
    ///     repeatedly.
    ///   - run: Performs the work, in a separate task, on no actor. It is cancelled when the node
    ///     loses the store. An error it throws goes to `StoreOptions.effectError`, and it runs
    ///     again a little later.
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

    /// The name of the actions that may begin the work.
    let name: String
    /// The work that an action begins; nil for none.
    let body: @Sendable (any Action) -> Body?
}
