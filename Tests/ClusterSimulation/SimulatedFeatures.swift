// SPDX-License-Identifier: MIT

import Onward
import OnwardCluster
import OnwardJournal

/// A state from which one can see exactly which log it is the fold of.
struct SimulatedState: Sendable, Hashable {
    /// A hash of all entries, in their order.
    var digest: UInt64 = 1
    /// How many actions there were.
    var actions = 0
}

/// What an action of the simulation says.
struct SimulatedAction: Hashable {
    /// What the client wants.
    var value: UInt64
    /// The epoch in which the effect was started that proposed it; `.max` for those of clients.
    var epoch: UInt64 = .max
    /// The state that the action was decided on.
    var digest: UInt64 = 0

    init(value: UInt64, epoch: UInt64 = .max) {
        (self.value, self.epoch) = (value, epoch)
    }

    init?(_ bytes: [UInt8]) {
        guard bytes.count == 24 else { return nil }
        value = Self.word(bytes, 0)
        epoch = Self.word(bytes, 1)
        digest = Self.word(bytes, 2)
    }

    private static func word(_ bytes: [UInt8], _ index: Int) -> UInt64 {
        var word: UInt64 = 0
        for byte in bytes[(8 * index)..<(8 * index + 8)] { word = word << 8 | UInt64(byte) }
        return word
    }

    var draft: ActionDraft {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        for word in [value, epoch, digest] {
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        return ActionDraft(name: "simulated", payload: bytes)
    }

    /// Whether an effect follows the action.
    var hasEffect: Bool { epoch == .max && value % 3 == 0 }

    /// Whether durable work follows the action.
    var beginsWork: Bool { epoch == .max && value % 5 == 4 }
}

/// Features whose decisions depend on the state, so that one that was made on another state shows.
struct SimulatedFeatures: ClusterFeatures {
    let fingerprint: FeatureFingerprint
    /// Whether some actions begin durable work.
    var hasWork = false
    let initial = SimulatedState()

    func decide(_ action: ActionDraft, on state: SimulatedState) -> [ActionDraft] {
        guard var action = SimulatedAction(action.payload) else { return [] }
        // Some are withheld in one of two states.
        if action.value % 8 == 1, state.digest % 2 == 0 { return [] }
        action.digest = state.digest
        // Some become several.
        guard action.value % 8 == 2 else { return [action.draft] }
        return [action.draft, action.draft, action.draft]
    }

    func beginsWork(_ action: ActionDraft) -> Bool {
        hasWork && SimulatedAction(action.payload)?.beginsWork == true
    }

    func reduce(_ entry: JournalEntry, into state: inout SimulatedState) {
        var sum = Checksum()
        sum.add(state.digest)
        sum.add(entry.version)
        sum.add(entry.id.high)
        sum.add(entry.id.low)
        sum.add(entry.payload)
        state.digest = sum.value
        if entry.hasAction { state.actions += 1 }
    }

    func value(of state: SimulatedState) -> DataValue {
        ["digest": DataValue(state.digest), "actions": DataValue(state.actions)]
    }

    func state(of value: DataValue) throws(JournalError) -> SimulatedState {
        guard let digest = value["digest"]?.integer(as: UInt64.self),
            let actions = value["actions"]?.integer(as: Int.self)
        else { throw JournalError(.unreadable, "The snapshot has no digest.") }
        return SimulatedState(digest: digest, actions: actions)
    }
}
