// SPDX-License-Identifier: MIT

/// What a layer above the core keeps beside one engine, which finds it by its type.
package protocol Attachment: AnyObject, Sendable {
    /// Made under the engine's lock when it is asked for first.
    init(_ options: StoreOptions)

    /// Several commits that were held are told as one from here on; returns what has to be told with them.
    ///
    /// Under the engine's lock.
    func joined() -> (any DeliveryPart)?

    /// The store has ended; outside the lock.
    func end(in engine: Engine)
}

/// What is told in its turn among the deliveries, besides observers and subscribers.
package protocol DeliveryPart: Sendable {
    /// Called by the deliverer when the subscribers have been told.
    func tellAfterSubscribers(of engine: Engine)
}

/// The attachments of an engine; guarded by its lock.
///
/// There are a few at most, so a list finds one sooner than a table would.
struct AttachmentList {
    private(set) var all: [any Attachment] = []

    /// The one of a type, which is made when there is none.
    mutating func find<A: Attachment>(_ type: A.Type, _ options: StoreOptions) -> A {
        for attachment in all where Swift.type(of: attachment) == type {
            return unsafeDowncast(attachment, to: type)
        }
        let new = A(options)
        all.append(new)
        return new
    }

    /// What attachments have to tell with commits that are told as one.
    func joined() -> [any DeliveryPart] { all.compactMap { $0.joined() } }
}

extension Engine {
    /// What a layer keeps beside this engine.
    ///
    /// Under the lock.
    package func attachment<A: Attachment>(_ type: A.Type) -> A { attachments.find(type, options) }

    /// The same for a thread that does not hold the lock, or is inside a reducer.
    package func attached<A: Attachment>(_ type: A.Type) -> A {
        leaveUnderLock { attachment(type) }
    }
}
