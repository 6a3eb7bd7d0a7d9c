// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
public import Onward

/// What became of a post that was let in.
public struct PostOutcome: Sendable, Hashable {
    /// The word for it in metrics and in the answer's body.
    enum Word: String {
        /// It was dispatched.
        case dispatched
        /// It was dispatched, and a middleware or the gate withheld it.
        case withheld
        /// There was nothing to dispatch: the sender's browser navigates by itself.
        case redirected
        /// The state that it was drawn from is outdated; nothing was dispatched.
        case stale
        /// It wasn't taken; nothing changed.
        case refused
    }

    let word: Word
    /// Why nothing was done, if nothing was.
    let rejection: Rejection?

    private init(_ word: Word, _ rejection: Rejection? = nil) {
        (self.word, self.rejection) = (word, rejection)
    }

    /// The store accepted it or not, for this reason.
    public static func dispatched(_ result: DispatchResult) -> PostOutcome {
        switch result {
        case .accepted: .dispatched
        case .withheld: .withheld
        case .refused(.absent):
            .refused(Rejection(.conflict, "What this was meant for is no longer there."))
        case .refused(.failedCheck(let failure)):
            .refused(Rejection(.conflict, failure.reason.sentence))
        case .refused(.unhandled): .unhandled
        case .refused: .unavailable("Actions can't be taken at the moment.")
        }
    }

    /// It won't be done, for a reason that is shown to the sender, and isn't tried again.
    public static func refused(_ reason: String) -> PostOutcome {
        .refused(Rejection(.conflict, reason))
    }

    /// Nobody can take it now, for a reason that the sender reads; sent again, it may be done.
    public static func unavailable(_ reason: String) -> PostOutcome {
        .refused(Rejection(.serviceUnavailable, reason))
    }

    static func refused(_ rejection: Rejection) -> PostOutcome { PostOutcome(.refused, rejection) }

    static let dispatched = PostOutcome(.dispatched)
    static let withheld = PostOutcome(.withheld)
    static let redirected = PostOutcome(.redirected)
    static let stale = PostOutcome(
        .stale,
        Rejection(
            .conflict,
            "The page has moved on since this was drawn. Nothing was done; here it is now."))
    static let unhandled = refused(
        Rejection(.badRequest, "Nothing here handles this action."))
}
#endif
