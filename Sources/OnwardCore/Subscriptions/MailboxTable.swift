// SPDX-License-Identifier: MIT

/// The mailboxes of the actors that a store calls: a pure machine.
///
/// Mailboxes of actors that are gone are looked for when their number may have doubled, and not
/// under a lock, where an actor could go that only the looking keeps alive.
struct MailboxTable {
    private var mailboxes: [ObjectIdentifier: Mailbox] = [:]
    /// How many there may be before those of actors that are gone are looked for.
    private var capacity = 16

    var count: Int { mailboxes.count }
    /// How many calls wait for all actors.
    var waitingCalls: Int { mailboxes.values.reduce(0) { $0 + $1.count } }

    /// The mailbox of an actor, which the caller keeps alive.
    ///
    /// - Complexity: O(1) on average.
    mutating func mailbox(of actor: any Actor) -> Mailbox {
        let key = ObjectIdentifier(actor)
        // An actor that is alive at this address can only be this one.
        if let mailbox = mailboxes[key], mailbox.isAlive { return mailbox }
        let mailbox = Mailbox(actor)
        mailboxes[key] = mailbox
        return mailbox
    }

    /// All mailboxes, when it is time to look for those that are no longer needed; nil
    /// otherwise.
    mutating func inventory() -> [Mailbox]? {
        guard mailboxes.count >= capacity else { return nil }
        capacity = 2 * mailboxes.count
        return Array(mailboxes.values)
    }

    /// Takes mailboxes out, unless others came in their place.
    mutating func remove(_ gone: [Mailbox]) {
        let gone = Set(gone.map { ObjectIdentifier($0) })
        mailboxes = mailboxes.filter { !gone.contains(ObjectIdentifier($0.value)) }
        capacity = max(16, 2 * mailboxes.count)
    }
}
