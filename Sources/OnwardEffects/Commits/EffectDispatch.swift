// SPDX-License-Identifier: MIT

internal import OnwardCore

/// Dispatches the action of an effect that only dispatches, in the turn of a deliverer or of a job.
///
/// Receives the owner of the job (nil in a turn of the deliverer, which has checked that it may
/// dispatch), the instance that the effect belongs to, and the actor that the deliverer runs on.
/// They aren't combined into one value, because making it would retain three references.
typealias EffectSender = @Sendable (Engine, EffectOwner?, Address, (any Actor)?) -> Void

extension Engine {
    /// Dispatches the action of an effect value, in a turn.
    func send<A: Action>(
        _ action: A, to address: Address, from origin: Origin, for owner: EffectOwner?,
        on here: (any Actor)?
    ) {
        let isolation = owner == nil ? here : nil
        Dispatch.with(action, to: address, from: origin, on: isolation) { dispatch in
            _ = if let owner { owner.dispatch(dispatch) } else { self.dispatch(dispatch) }
        }
    }
}

/// A dispatch that is due once its delivery has been notified, and the dispatches after it.
// `next` belongs to the deliverer, hence `@unchecked`.
final class EffectDispatch: DeliveryPart, @unchecked Sendable {
    private let engine: Engine
    /// Held until the dispatch has been made; nil for an instance that lives as long as its store,
    /// because nothing ends its right to dispatch.
    private let owner: EffectOwner?
    /// The instance that the effect belongs to.
    private let address: Address
    private let send: EffectSender
    private var next: EffectDispatch?

    init(
        _ send: @escaping EffectSender, for owner: EffectOwner?, at address: Address,
        in engine: Engine
    ) {
        self.engine = engine
        self.owner = owner
        self.address = address
        self.send = send
        owner?.hold()
    }

    func notifyBeforeSubscribers(_ context: DeliveryContext) {}

    func notifyAfterSubscribers(_ context: DeliveryContext, on here: (any Actor)?) {
        make(of: context, on: here)
        // Released one after another; otherwise a long list would be deinitialized recursively.
        var rest = next.take()
        while let dispatch = rest {
            dispatch.make(of: context, on: here)
            rest = dispatch.next.take()
        }
    }

    private func make(of context: DeliveryContext, on here: (any Actor)?) {
        engine.call(within: context, with: owner) { send(engine, nil, address, here) }
        owner?.release()
    }

    /// Dispatches in order; usually none or one.
    struct List {
        private(set) var first: EffectDispatch?
        private var last: EffectDispatch?

        mutating func append(_ dispatch: EffectDispatch) {
            if let last { last.next = dispatch } else { first = dispatch }
            last = dispatch
        }
    }
}
