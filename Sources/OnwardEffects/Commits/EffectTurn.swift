// SPDX-License-Identifier: MIT

internal import OnwardCore

/// The turn of a deliverer, in which it dispatches for effects that are only a dispatch.
struct EffectTurn {
    /// The actor that the deliverer runs on.
    let here: (any Actor)?

    /// A dispatch that is due when its delivery has been told.
    struct Dispatch {
        /// Held until the dispatch was made.
        let owner: EffectOwner
        let send: @Sendable (EffectOwner, EffectTurn?) -> Void
    }

    /// Makes dispatches that are due.
    func send(_ dispatches: [Dispatch], of context: DeliveryContext, in engine: Engine) {
        for dispatch in dispatches {
            engine.call(within: context, with: dispatch.owner) {
                dispatch.send(dispatch.owner, self)
            }
            dispatch.owner.release()
        }
    }
}
