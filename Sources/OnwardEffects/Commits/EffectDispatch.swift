// SPDX-License-Identifier: MIT

internal import DequeModule
internal import OnwardCore

/// Dispatches the action of an effect that only dispatches, in the turn of a deliverer or of a job.
///
/// Receives the owner of the job (nil in a turn of the deliverer, which has checked that it may
/// dispatch), where the instance is that the effect belongs to, and the actor that the deliverer
/// runs on. They aren't combined into one value, because making it would retain three references.
typealias EffectSender =
    @Sendable (Engine, EffectOwner?, EffectOwner.Place, (any Actor)?) ->
    DispatchResult

extension Engine {
    /// Dispatches the action of an effect value, in a turn.
    func send<A: Action>(
        _ action: A, to address: Address, from origin: ActionOrigin, for owner: EffectOwner?,
        at place: EffectOwner.Place? = nil, on here: (any Actor)?
    ) -> DispatchResult {
        let isolation = owner == nil ? here : nil
        return Dispatch.with(action, to: settled(address), from: origin, on: isolation) {
            if let owner { owner.dispatch($0, at: place) } else { self.dispatch($0) }
        }
    }
}

/// The dispatches that are due once a commit has been notified, in order.
// `dispatches` belongs to the holder of the turn, hence `@unchecked`.
final class EffectDispatches: DeliveryPart, @unchecked Sendable {
    private struct Dispatch {
        let send: EffectSender
        /// Held until the dispatch has been made; nil for an instance that lives as long as its store,
        /// because nothing ends its right to dispatch.
        let owner: EffectOwner?
        /// The instance that the effect belongs to, for those without an owner.
        let address: Address
    }

    private let engine: Engine
    private var dispatches = Deque<Dispatch>()

    private init(in engine: Engine) { self.engine = engine }

    /// Adds a dispatch to those that there are, if there are any.
    static func add(
        _ send: @escaping EffectSender, for owner: EffectOwner?, at address: Address,
        in engine: Engine, to dispatches: inout EffectDispatches?
    ) {
        let all = dispatches ?? EffectDispatches(in: engine)
        dispatches = all
        owner?.hold()
        all.dispatches.append(Dispatch(send: send, owner: owner, address: address))
    }

    func notifyBeforeSubscribers(_ context: DeliveryContext) {}

    func proceed(_ context: DeliveryContext, on here: (any Actor)?) -> Bool {
        guard let next = dispatches.popFirst() else { return false }
        func send(from place: EffectOwner.Place) -> DispatchResult {
            var result = DispatchResult.refused(.expired)
            let permit = next.owner.map { $0.permit($0, at: place) }
            engine.call(within: context, with: permit) {
                result = next.send(engine, nil, place, here)
            }
            return result
        }
        if let owner = next.owner {
            _ = owner.dispatch(near: send)
            owner.release()
        } else {
            _ = send(from: EffectOwner.Place(address: next.address))
        }
        return !dispatches.isEmpty
    }
}
