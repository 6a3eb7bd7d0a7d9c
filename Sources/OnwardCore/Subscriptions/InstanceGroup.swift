// SPDX-License-Identifier: MIT

/// Finds the instances of a slice that have changed, and keeps what it found for its subscriber.
///
/// It belongs to the holder of the turn.
package protocol InstanceReader: AnyObject, Sendable {
    /// Looks for instances that have changed since it looked last, in the state where it lies.
    func look(at root: UnsafeRawPointer, _ locked: borrowing Locked)

    /// Whether it has found any that the subscriber has not taken.
    var hasFound: Bool { get }

    /// Gives away what is to be released outside the lock; empty when there is nothing.
    func takeRest(_ locked: borrowing Locked) -> [any Sendable]
}

/// A group of one subscriber that follows the instances of a slice.
///
/// Only what changed is copied, so that the next commit changes the rest in place.
final class InstanceGroup: SubscriberGroup, @unchecked Sendable {
    /// What the subscriber is called with: it takes what changed from the reader.
    let nothing: ValueCopy
    @exclusivity(unchecked) private var reader: (any InstanceReader)?
    @exclusivity(unchecked) private var member: Subscriber?
    @exclusivity(unchecked) private var rest: [any Sendable] = []

    init(of range: Range<Int>, _ reader: any InstanceReader, _ member: Subscriber) {
        let type = TypedValue<Bool>()
        nothing = withUnsafePointer(to: true) { ValueCopy(of: $0, type) }
        self.reader = reader
        self.member = member
        super.init(AnyGetter(range: range, of: type), key: nil, isSame: nil)
        count = 1
    }

    override func everyone(_ locked: borrowing Locked) -> [Subscriber] { member.map { [$0] } ?? [] }

    override func remove(
        _ member: Subscriber, _ rest: inout [Any?], _ locked: borrowing Locked
    ) -> Bool {
        self.member = nil
        count = 0
        return true
    }

    override func takeContents(_ locked: borrowing Locked) -> [Any?] {
        defer { reader = nil }
        return super.takeContents(locked) + [reader]
    }

    override func take(_ root: UnsafeRawPointer, _ locked: borrowing Locked) {
        isTaken = true
        guard let reader else { return }
        reader.look(at: root, locked)
        rest += reader.takeRest(locked)
        if !rest.isEmpty { hasLeftovers = true }
    }

    override func finish(_ locked: borrowing Locked) -> [Any?] {
        defer { rest = [] }
        return super.finish(locked) + [rest]
    }

    override func advance(in root: RootCopy?, of storage: LockedStorage) -> Bool {
        reader?.hasFound == true
    }

    override func notify(_ holder: inout TurnHolder, as context: DeliveryContext) {
        guard let member = holder.storage.withLock({ _ in member }) else { return }
        holder.call(member, with: Change(from: nothing, to: nothing), context)
    }
}
