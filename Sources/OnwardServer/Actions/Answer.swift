// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Onward

/// What became of a post that was let in.
enum Answer: Hashable, Sendable {
    /// It was dispatched.
    case dispatched
    /// It was dispatched, and a middleware or the gate withheld it.
    case withheld
    /// There was nothing to dispatch: the sender's browser navigates by itself.
    case redirected
    /// The state that it was drawn from is outdated; nothing was dispatched.
    case stale
    /// The store didn't take it; nothing changed.
    case refused(Rejection)

    init(_ result: DispatchResult) {
        switch result {
        case .accepted: self = .dispatched
        case .withheld: self = .withheld
        case .refused(.absent):
            self = .refused(Rejection(.conflict, "What this was meant for is no longer there."))
        case .refused(.failedCheck(let failure)):
            self = .refused(Rejection(.conflict, failure.reason.sentence))
        case .refused(.unhandled):
            self = .refused(Rejection(.badRequest, "Nothing here handles this action."))
        case .refused:
            self = .refused(
                Rejection(.serviceUnavailable, "Actions can't be taken at the moment."))
        }
    }

    /// The word for it in metrics and in the answer's body.
    var word: String {
        switch self {
        case .dispatched: "dispatched"
        case .withheld: "withheld"
        case .redirected: "redirected"
        case .stale: "stale"
        case .refused: "refused"
        }
    }

    /// Why nothing was done, if nothing was.
    var rejection: Rejection? {
        switch self {
        case .stale: Self.outdated
        case .refused(let rejection): rejection
        case .dispatched, .withheld, .redirected: nil
        }
    }

    /// How a stale post is answered.
    static let outdated = Rejection(
        .conflict, "The page has moved on since this was drawn. Nothing was done; here it is now.")
}
#endif
