// SPDX-License-Identifier: MIT

import Onward

// What checks refuse, and what comes with the actions that they let pass.

extension Checker {
    mutating func checkClaims() {
        for (_, claim) in record.claims.sorted(by: { $0.key < $1.key }) {
            checkCommit(of: claim)
            checkReason(of: claim)
        }
        checkStamps()
        guard let rest = record.rest else { return }
        let refused = record.claims.values.count { claim in
            if case .refused? = claim.result { true } else { false }
        }
        if rest.refusals != refused {
            fail(
                "checks, refusals are counted", "\(refused) were refused, \(rest.refusals) counted")
        }
    }

    /// What is accepted is reduced and logged once, and what isn't leaves nothing.
    private mutating func checkCommit(of claim: Record.Claim) {
        let (serial, times) = (claim.claiming.serial, claim.reductions.count)
        let versions = record.claimEntries.filter { $0.serial == serial }.map(\.version)
        switch claim.result {
        case .accepted(let version)?:
            if times != 1 {
                fail("checks, what is accepted is reduced once", "\(serial) was \(times) times")
            }
            // One that was committed while a first observer came may be missing.
            if record.history.isObserved, versions != [version] {
                fail(
                    "checks, what is accepted is logged", "\(serial), \(version), is in \(versions)"
                )
            }
        case .refused?, .neither?:
            if times > 0 {
                fail("checks, what is refused changes nothing", "\(serial) was reduced")
            }
            if !versions.isEmpty {
                fail("checks, what is refused is not logged", "\(serial) is in \(versions)")
            }
        case nil: break
        }
        for facts in claim.reductions {
            guard let reason = Desk.refusal(of: claim.claiming, in: facts) else { continue }
            fail(
                "checks, what a check refuses is not committed", "\(serial) was, despite \(reason)")
        }
    }

    /// The first reason wins; it is returned, and told once to who observes refusals.
    private mutating func checkReason(of claim: Record.Claim) {
        let serial = claim.claiming.serial
        guard case .refused(let reason)? = claim.result else {
            if !claim.seen.isEmpty {
                fail("checks, a refusal is told once", "\(serial) was not refused: \(claim.seen)")
            }
            return
        }
        let expected = claim.checkedFacts.flatMap { Desk.refusal(of: claim.claiming, in: $0) }
        if expected != reason {
            fail(
                "checks, the first reason wins",
                "\(serial) was refused for \(reason), not for \(expected ?? "nothing")")
        }
        if claim.seen != [reason] {
            fail("checks, a refusal is told once", "\(serial), \(reason), was told \(claim.seen)")
        }
    }

    /// Ids are unique, the author is who was named, and the entry has what the reducer was given.
    private mutating func checkStamps() {
        guard let claims = record.rest?.desk.claims else { return }
        let ids = claims.flatMap { [$0.id, $0.spare] }
        if Set(ids).count != ids.count {
            fail("stamps, ids are unique", "\(claims.count) claims have \(Set(ids).count) ids")
        }
        for claim in claims {
            guard let asked = record.claims[claim.serial] else { continue }
            if asked.author != claim.author {
                fail(
                    "stamps, the author is who was named",
                    "\(claim.serial) is by \(claim.author ?? "nobody"), not \(asked.author ?? "nobody")"
                )
            }
            for entry in record.claimEntries where entry.serial == claim.serial {
                if entry.stamp?.author != claim.author || entry.stamp?.time != claim.time {
                    fail("stamps, an entry has that of its reducer", "\(claim.serial) has not")
                }
            }
        }
    }
}
