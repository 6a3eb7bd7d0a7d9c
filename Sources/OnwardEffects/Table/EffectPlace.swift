// SPDX-License-Identifier: MIT

internal import OnwardCore

/// What effects of one instance are distinguished by: the name that they were given, or else the part of the feature
/// that made them.
///
/// Never the place in the source: a helper may stand for many effects.
enum EffectName: Sendable, Hashable {
    case text(String)
    case value(EffectNames.Name)
    /// The position of the part among all parts of the store.
    case part(Int)
}

/// Where effects of one name meet.
struct EffectSlot: Sendable, Hashable {
    let address: Address
    let name: EffectName
}

/// A debounce or a throttle of a slot.
struct EffectGate: Sendable, Hashable {
    /// How many gates stand inside it, so that two around one another are two.
    let level: Int
    let timing: EffectTiming
}

/// One gate among all of a store.
struct EffectGateID: Sendable, Hashable {
    let slot: EffectSlot
    let level: Int
}

/// How an effect meets others of its name.
struct EffectPlace: Sendable {
    let slot: EffectSlot
    var policy = EffectPolicy.concurrent
    /// Where in the source it was made, where no id says what it is called.
    var origin: Origin?
    /// Whether others can end it or wait for it: it has an id or a policy, and is not only held by gates.
    var isNamed = true
    /// The gates that stand around all else, the outermost first; others are passed when the work comes to them.
    var gates: [EffectGate] = []
    /// Whether there are gates further inside, as the policy is asked behind the innermost one.
    var hasInnerGate = false
}
