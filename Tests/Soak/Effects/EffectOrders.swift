// SPDX-License-Identifier: MIT

/// Which of the things that are due at one moment happens first: one of the orders in which they may.
///
/// What different tasks do at one moment has no order that anybody promises, so effects are right where they do what
/// the model does in any of them. The orders are a tree of choices; this is a path through it, from the order in
/// which things became due to all others.
struct EffectOrders {
    private struct Choice {
        let time: Int
        let count: Int
        var picked = 0
    }

    private var choices: [Choice] = []
    private var next = 0

    /// Which of several things is done at a time, the first of them on the first path.
    mutating func pick(of count: Int, at time: Int) -> Int {
        guard count > 1 else { return 0 }
        defer { next += 1 }
        if next == choices.count { choices.append(Choice(time: time, count: count)) }
        return choices[next].picked
    }

    /// Goes on to the next order that is another one up to a time; false where there is none.
    mutating func advance(until time: Int) -> Bool {
        next = 0
        while let last = choices.last, last.time > time || last.picked == last.count - 1 {
            choices.removeLast()
        }
        guard !choices.isEmpty else { return false }
        choices[choices.count - 1].picked += 1
        return true
    }
}
