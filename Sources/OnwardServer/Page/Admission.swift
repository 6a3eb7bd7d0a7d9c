// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
public import Onward

/// The sender of an action from a page.
public struct ActionSender: Sendable {
    /// The visitor; nil if none is distinguished: a shared store without a ``VisitorState``.
    ///
    /// You can store its ``VisitorID/fileName`` in the state, to record who did something. Nobody
    /// who reads it can act as that visitor.
    public let visitor: VisitorID?
    /// The instance that the post is for; nil if it reaches all of them.
    public internal(set) var address: Address?
    let box: OwnStateBox?

    init(visitor: VisitorID? = nil, own box: OwnStateBox? = nil) {
        self.visitor = visitor
        self.box = box
    }

    /// Returns the visitor's own state of a type; nil without a ``VisitorState`` of that type.
    public func own<Own: Hashable & Sendable>(_ type: Own.Type = Own.self) -> Own? {
        box?.value.value as? Own
    }
}

/// The decision about an action that a page sent.
public enum Admission<Incoming: Action>: Sendable {
    /// Dispatches the action as it came, or with additions that only the server knows.
    case dispatch(Incoming)
    /// Dispatches nothing and shows the sender this sentence, with the current page; beside the
    /// field of that name, if it is about one.
    case refuse(String, field: String? = nil)
}

extension Page {
    /// Returns the page with a check of one type's actions before they are dispatched.
    ///
    /// Use this for what depends on the state and concerns only the sender: a bid that is too low,
    /// a seat that is taken. The closure may also add to the action who sent it, which a reducer
    /// can't know:
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
    /// A refusal is answered with 409 and the sentence, which is escaped like all text. A post that
    /// is sent again gets the same answer. Between the check of the state and the dispatch no other
    /// post is handled, as with `expects`; an effect may dispatch in between, so a reducer that
    /// must not accept a low bid has to ignore it as well.
    ///
    /// - Parameters:
    ///   - type: The type of the actions, one that the page accepts. A page has one such closure
    ///     for a type: a second one replaces the first.
    ///   - admit: Decides about an action. Called on the server's threads, one post at a time; it
    ///     must not block.
    /// - Returns: The page.
    public func admitting<Incoming: Action & Decodable>(
        _ type: Incoming.Type,
        _ admit:
            @escaping @Sendable (_ action: Incoming, _ poster: ActionSender, _ state: State)
            -> Admission<Incoming>
    ) -> Page {
        var page = self
        page.admissions[ObjectIdentifier(type)] = { action, poster, state in
            guard let action = action as? Incoming else { return .success(action) }
            switch admit(action, poster, state) {
            case .dispatch(let action): return .success(action)
            case .refuse(let sentence, let field):
                var rejection = Rejection(.conflict, sentence)
                rejection.field = field.map { .init(name: $0, sentence: sentence) }
                return .failure(rejection)
            }
        }
        return page
    }

    /// Whether the page checks the actions of a type before they are dispatched.
    func admits(_ type: any Action.Type) -> Bool { admissions[ObjectIdentifier(type)] != nil }

    /// What is dispatched for an action whose demands hold, or why the page doesn't let it in.
    func admit(
        _ action: any Action, from poster: ActionSender, at address: Address?, in state: State
    ) -> Result<any Action, Rejection> {
        guard let admit = admissions[ObjectIdentifier(type(of: action))] else {
            return .success(action)
        }
        var poster = poster
        poster.address = address
        return admit(action, poster, state)
    }
}
#endif
