// SPDX-License-Identifier: MIT

public import OnwardCore

extension Misuse.Kind {
    /// A selector needs its own value.
    public static var selectorOfItself: Misuse.Kind { Misuse.Kind("selectorOfItself") }
}

extension Misuse {
    static func selectorOfItself(_ origin: Origin, _ parameter: (any Sendable)?) -> Misuse {
        let member = parameter.map { " for the parameter \(String(reflecting: $0))" } ?? ""
        return Misuse(
            kind: .selectorOfItself,
            description: """
                The selector made at \(origin)\(member) was asked for its own value while that was \
                being computed. A selector is a pure function of its inputs, and a value that is \
                needed to compute itself is never known. To fix this, take what it needs from \
                properties of the state or from other selectors that don't lead back to it, and \
                don't read the store inside a selector's closure.
                """)
    }
}
