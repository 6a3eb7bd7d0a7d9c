// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
public import Onward

/// Who sent an action from a page.
public struct Poster: Sendable {
    /// The visitor; nil where visitors aren't told apart: a shared store without a ``VisitorState``.
    ///
    /// Its ``VisitorID/fileName`` may stand in the state, to say who did something. Nobody who reads it becomes that
    /// visitor.
    public let visitor: VisitorID?
    /// The instance that the post is for; nil for one that reaches all of them.
    public internal(set) var address: Address?
    let box: OwnStateBox?

    init(visitor: VisitorID? = nil, own box: OwnStateBox? = nil) {
        self.visitor = visitor
        self.box = box
    }

    /// What the visitor has beside the store, as it is now; nil on a page without a ``VisitorState`` of that type.
    public func own<Own: Hashable & Sendable>(_ type: Own.Type = Own.self) -> Own? {
        box?.value.value as? Own
    }
}

/// What becomes of an action that a page sent.
public enum Admission<Incoming: Action>: Sendable {
    /// This is dispatched: the action as it came, or with what only the server knows.
    case dispatch(Incoming)
    /// Nothing is dispatched, and the sender reads this sentence, with the page as it is now.
    case refuse(String)
}

extension Page {
    /// The page, which looks at the actions of a type before they are dispatched.
    ///
    /// What depends on the state and concerns the sender alone is said here: a bid that is too low, a seat that is taken.
    /// The closure may also write into the action who sent it, which a reducer can't know:
    ///
    /// ```swift
    /// let page = try Page<Auction>(…)
    ///     .admitting(BidAction.self) { bid, poster, auction in
    ///         guard bid.amount > auction.highest else {
    ///             return .refuse("Bids begin at \(auction.highest + 1).")
    ///         }
    ///         return .dispatch(BidAction(amount: bid.amount, bidder: poster.visitor?.fileName))
    ///     }
    /// ```
    ///
    /// A refusal is answered with 409 and the sentence, which is escaped like all text. A post that is sent again gets the
    /// answer that it had. Between the look at the state and the dispatch no other post is handled, as with `expects`;
    /// an effect may dispatch there, so a reducer that must not take a low bid ignores one as well.
    ///
    /// - Parameters:
    ///   - type: The type of the actions, one that the page accepts. A page has one such closure for a type: a second
    ///     takes the place of the first.
    ///   - admit: What becomes of an action. Called on the server's threads, one post at a time; it must not block.
    /// - Returns: The page.
    public func admitting<Incoming: Action & Decodable>(
        _ type: Incoming.Type,
        _ admit:
            @escaping @Sendable (_ action: Incoming, _ poster: Poster, _ state: State)
            -> Admission<Incoming>
    ) -> Page {
        var page = self
        page.admissions[ObjectIdentifier(type)] = { action, poster, state in
            guard let action = action as? Incoming else { return .dispatch(action) }
            switch admit(action, poster, state) {
            case .dispatch(let action): return .dispatch(action)
            case .refuse(let sentence): return .refuse(Rejection(.conflict, sentence))
            }
        }
        return page
    }

    /// Whether it looks at the actions of a type before they are dispatched.
    func admits(_ type: any Action.Type) -> Bool { admissions[ObjectIdentifier(type)] != nil }

    /// What becomes of an action whose demands hold.
    func admission(
        of action: any Action, from poster: Poster, at address: Address?, in state: State
    ) -> AnyAdmission {
        guard let admit = admissions[ObjectIdentifier(type(of: action))] else {
            return .dispatch(action)
        }
        var poster = poster
        poster.address = address
        return admit(action, poster, state)
    }
}

/// An ``Admission`` whose action's type isn't known.
enum AnyAdmission {
    case dispatch(any Action)
    case refuse(Rejection)
}
#endif
