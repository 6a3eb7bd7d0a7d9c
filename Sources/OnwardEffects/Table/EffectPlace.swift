// SPDX-License-Identifier: MIT

internal import OnwardCore

/// What distinguishes effects of one instance: the name that they were given, or else the part of
/// the feature that made them.
///
/// Never the place in the source, because a helper may make many effects.
enum EffectName: Sendable, Hashable {
    case text(String)
    case value(EffectNames.Name)
    /// The position of the part among all parts of the store.
    case part(Int)
}

/// Where effects of one name meet.
struct EffectSlot: Sendable, Hashable {
    let instance: EffectInstance
    let name: EffectName
}

/// The instance that effects belong to.
enum EffectInstance: Sendable, Hashable {
    /// One that no row leads to.
    case plain(Address)
    /// What stands for an address with rows, whose ids may be compared by code of the app.
    case row(EffectNames.Name)
}

/// A debounce or a throttle of a slot.
struct EffectGate: Sendable, Hashable {
    /// How many gates are inside it, which distinguishes nested gates.
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
    /// Where in the source it was made, if no id names it.
    var origin: ActionOrigin?
    /// Whether others can end it or wait for it: it has an id or a policy, and is not only held by
    /// gates.
    var isNamed = true
    /// The gates around everything else, outermost first; others are passed when the work reaches
    /// them.
    var gates: [EffectGate] = []
    /// Whether there are gates further inside; the policy is asked behind the innermost one.
    var hasInnerGate = false
}
