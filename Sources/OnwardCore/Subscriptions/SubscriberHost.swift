// SPDX-License-Identifier: MIT

/// What subscribers, and the calls that wait for them, need of the engine that has them.
package protocol SubscriberHost: LockedStorage {
    /// The groups of all subscribers.
    func index(_ locked: borrowing Locked) -> SubscriptionIndex

    /// Takes a listener out, and releases what that leaves behind.
    func remove(_ listener: Listener)

    /// Takes a listener out; returns what is to be released outside the lock.
    func takeOut(_ listener: Listener) -> [Any?]

    /// Notes that the calls of a mailbox have been made.
    func endCallout()
}
