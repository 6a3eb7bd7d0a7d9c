// SPDX-License-Identifier: MIT

import Onward

/// A slice whose actions are checked by its parent and by itself, and whose claims are stamped.
struct Desk: Equatable, Sendable {
    var isOpen = true
    var claims: [Claim] = []

    /// All of it in a number.
    var number: Int {
        claims.reduce(isOpen ? 1 : 0) { $0 &* 31 &+ $1.hashValue } & 0xFFFF_FFFF
    }
}

/// What one action has left behind, with what came with it.
struct Claim: Hashable, Sendable {
    let serial: Int
    let id: UniqueID
    let spare: UniqueID
    let time: Timestamp
    let author: String?
}

/// What the feature of the desk handles.
enum DeskDeed: Action, Hashable {
    case open(Bool)
    /// Whoever claims has a serial of their own.
    case claim(Claiming)
}

/// An action that is asked for, and what becomes of it.
struct Claiming: Sendable, Hashable {
    /// How it is dispatched.
    enum Way: Sendable, Hashable { case toRoot, toDesk, byEffect }

    var serial: Int
    var weight: Int
    /// In whose name; nil for nobody's.
    var author: Int?
    var way = Way.toRoot

    /// The claim that an effect makes in answer to this one, and the one that a middleware adds to it.
    var answer: Claiming { Claiming(serial: serial + 1_000, weight: weight, way: .toDesk) }
    var added: Claiming { Claiming(serial: serial + 2_000, weight: 0, way: .toDesk) }

    var authorName: String? { author.map { "author \($0)" } }
}

/// Why the parent of the desk refuses a claim.
enum CrowdRefusal: RefusalReason { case full, tooHeavy }

/// Why the desk does.
enum DeskRefusal: RefusalReason { case closed }

extension Desk {
    /// What checks look at.
    struct Facts: Sendable, Hashable {
        var count: Int
        var x: Int
        var isOpen: Bool

        init(_ world: World) {
            (count, x, isOpen) = (world.desk.claims.count, world.x, world.desk.isOpen)
        }

        init(count: Int, x: Int, isOpen: Bool) {
            (self.count, self.x, self.isOpen) = (count, x, isOpen)
        }
    }

    /// The first of the reasons against a claim, in words; nil if there is none.
    ///
    /// It says in one place what three checks say.
    static func refusal(of claiming: Claiming, in facts: Facts) -> String? {
        if facts.count >= 4 { return "CrowdRefusal/full" }
        if claiming.weight > facts.x + 1 { return "CrowdRefusal/tooHeavy" }
        return facts.isOpen ? nil : "DeskRefusal/closed"
    }
}
