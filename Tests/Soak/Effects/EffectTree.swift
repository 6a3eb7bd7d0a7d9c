// SPDX-License-Identifier: MIT

import Onward

/// An effect with what stands around and inside it, as an app would write it down.
///
/// All times are in microseconds.
indirect enum EffectTree: Sendable, Hashable {
    /// Work that takes a while, then fails or dispatches an answer.
    struct Work: Sendable, Hashable {
        /// That of no other work of the trial.
        var serial: Int
        /// One of a few ids; nil for none.
        var id: Int?
        var policy = EffectPolicy.concurrent
        var duration: Int
        /// How many of its attempts fail.
        var failures = 0
        var hasHandler = false
        var hasCancellation = false

        /// Whether others of its name can end it, or wait for it.
        var isNamed: Bool { id != nil || policy != .concurrent }
        /// Whether it is nothing but its work.
        var isBare: Bool { !isNamed && !hasHandler && !hasCancellation }
    }

    case work(Work)
    case merge([EffectTree])
    case sequence([EffectTree])
    /// Cancels the effects of an id.
    case cancel(Int)
    /// Held by the debounce or the throttle that the trial has for its name at this level.
    case gated(EffectTree)
    case timeout(Int, EffectTree)
    case retry(attempts: Int, pause: Int, EffectTree)
    case repeated(Int, EffectTree)

    /// The trees inside it.
    var parts: [EffectTree] {
        switch self {
        case .work, .cancel: []
        case .merge(let parts), .sequence(let parts): parts
        case .gated(let tree), .timeout(_, let tree), .retry(_, _, let tree),
            .repeated(_, let tree):
            [tree]
        }
    }

    /// How many debounces and throttles stand around one another in it, at most.
    var gateCount: Int {
        let inside = parts.map(\.gateCount).max() ?? 0
        if case .gated = self { return inside + 1 }
        return inside
    }

    /// The id of the work that the modifiers stand around; nil where there is none.
    var id: Int? {
        switch self {
        case .work(let work): work.id
        case .merge, .sequence, .cancel: nil
        case .gated(let tree), .timeout(_, let tree), .retry(_, _, let tree),
            .repeated(_, let tree):
            tree.id
        }
    }

    var hasMerge: Bool {
        if case .merge = self { return true }
        return parts.contains(where: \.hasMerge)
    }

    /// Whether a timeout, a retry or a repetition may stand around it: what these mean for a merge deep inside other
    /// effects is not what the trials are about.
    var canBeWrapped: Bool {
        switch self {
        case .merge(let parts): parts.allSatisfy(\.canBeWrapped)
        case .timeout(_, let tree), .retry(_, _, let tree), .repeated(_, let tree):
            tree.canBeWrapped
        default: !hasMerge
        }
    }
}

/// What is debounced or throttled together: an id, or else the part that made the effect.
enum GateName: Sendable, Hashable {
    case id(Int)
    case part(Int)
}

/// A debounce or a throttle; a name has the same at one level all through a trial.
struct GateTiming: Sendable, Hashable {
    /// Nil for a debounce.
    var edge: ThrottleEdge?
    var duration: Int
}

extension EffectTree: CustomStringConvertible {
    var description: String {
        switch self {
        case .work(let work):
            "work(\(work.serial)\(work.id.map { ", id: \($0)" } ?? ""), .\(work.policy), "
                + "takes: \(work.duration)\(work.failures > 0 ? ", fails: \(work.failures)" : "")"
                + "\(work.hasHandler ? ", handler" : "")\(work.hasCancellation ? ", onCancel" : ""))"
        case .merge(let parts): "merge(\(parts.map(\.description).joined(separator: ", ")))"
        case .sequence(let parts): "sequence(\(parts.map(\.description).joined(separator: ", ")))"
        case .cancel(let id): "cancel(id: \(id))"
        case .gated(let tree): "\(tree).gated"
        case .timeout(let duration, let tree): "\(tree).timeout(\(duration))"
        case .retry(let attempts, let pause, let tree): "\(tree).retry(\(attempts), \(pause))"
        case .repeated(let interval, let tree): "\(tree).repeated(\(interval))"
        }
    }
}
