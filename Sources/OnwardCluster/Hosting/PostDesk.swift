// SPDX-License-Identifier: MIT
#if Server

internal import Onward
internal import OnwardJournal
internal import OnwardServer

/// Proposes what pages post.
///
/// Problem: a post's demands hold for the state here and now, but another node decides, on another
/// state.
///
/// Strategy: such an action is proposed for exactly the state that was examined. If another action
/// came in between, the proposal is refused as outdated; by then the replica has that action, and
/// the demands are examined again.
struct PostDesk<State: Codable & Sendable>: Sendable {
    private let store: ClusteredStore<State>

    init(_ store: ClusteredStore<State>) {
        self.store = store
    }

    func apply(_ posted: PostedAction<State>) async -> PostOutcome {
        let request = RequestID(
            id: EntryID(ofPost: posted.id), since: posted.since ?? store.status.version)
        let deadline = store.deadline
        // The page may be from another node, which had shown more than this one has.
        if let since = posted.since { await store.reach(since, before: deadline) }
        while true {
            let shown = store.store.log.snapshot
            let action: any Action
            let address: Address?
            switch posted.decide(on: shown.state) {
            case .apply(let wanted, let part): (action, address) = (wanted, part)
            case .decline(let outcome):
                // The state may include it already, if the post was sent again from another node.
                let version = await store.version(of: request)
                return version.map { .dispatched(.accepted($0)) } ?? outcome
            }
            let outcome = await store.propose(
                action, to: address, request: request,
                ifUnchangedSince: posted.isConditional ? store.logVersion(of: shown.version) : nil,
                file: posted.file, line: 0)
            if case .refused(.outdated) = outcome, store.isBefore(deadline) { continue }
            return PostOutcome(outcome)
        }
    }
}

extension PostOutcome {
    init(_ outcome: ProposalOutcome) {
        switch outcome {
        case .accepted(let version): self = .dispatched(.accepted(version))
        case .withheld: self = .dispatched(.withheld)
        case .unanswered:
            self = .unavailable(
                "This couldn't be stored in time, and may be done a little later. Please look again."
            )
        case .refused(.overloaded), .refused(.stopped), .refused(.outdated), .refused(.expired):
            self = .unavailable(
                "There is too much to do here at the moment. Please try again in a moment.")
        case .refused(.foreign):
            self = .unavailable(
                "Another version of this program is in charge at the moment. Please try again later."
            )
        case .refused(.forgotten):
            self = .refused(
                "This page was too old to know whether this was done before. Please look, and do it again if not."
            )
        case .refused(.failedCheck(let failure)): self = .refused(failure.sentence)
        case .refused(.unreadable):
            self = .refused("This can't be done.")
        }
    }
}

extension EntryID {
    /// The id of the proposal that a post makes, on any node: nobody can choose it.
    init(ofPost id: String) {
        let digest = SHA256.hash(of: Array("post \(id)".utf8))
        func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
            bytes.reduce(0) { $0 << 8 | UInt64($1) }
        }
        self.init(high: number(digest[0..<8]), low: number(digest[8..<16]))
    }
}
#endif
