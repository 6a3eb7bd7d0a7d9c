// SPDX-License-Identifier: MIT

public import OnwardCore

extension ProgrammerError.Kind {
    /// A selector needs its own value.
    public static var selectorOfItself: ProgrammerError.Kind {
        ProgrammerError.Kind("selectorOfItself")
    }

    /// Selectors are made of selectors in more than 500 steps, or in 32 where families make them.
    public static var selectorsTooDeep: ProgrammerError.Kind {
        ProgrammerError.Kind("selectorsTooDeep")
    }

    /// A selector is made anew for each read, so that nothing it computes is used again.
    public static var selectorMadeAnew: ProgrammerError.Kind {
        ProgrammerError.Kind("selectorMadeAnew")
    }
}

extension ProgrammerError {
    static func selectorOfItself(_ origin: ActionOrigin, _ parameter: (any Sendable)?)
        -> ProgrammerError
    {
        let member = parameter.map { " for the parameter \(String(reflecting: $0))" } ?? ""
        return ProgrammerError(
            kind: .selectorOfItself,
            description: """
                The selector made at \(origin)\(member) was asked for its own value while that was \
                being computed. A selector is a pure function of its inputs, and a value that is \
                needed to compute itself is never known. To fix this, take what it needs from \
                properties of the state or from other selectors that don't lead back to it, and \
                don't read the store inside a selector's closure.
                """)
    }

    static func selectorsTooDeep(
        _ origin: ActionOrigin, _ parameter: (any Sendable)?, _ depth: Int
    ) -> ProgrammerError {
        let member = parameter.map { " for the parameter \(String(reflecting: $0))" } ?? ""
        return ProgrammerError(
            kind: .selectorsTooDeep,
            description: """
                The selector made at \(origin)\(member) is one of more than \(depth - 1) selectors of \
                which each is made of the next one. Each takes a piece of the stack, so there may be 500, \
                or 32 where families make them, whose members may be made of others without an end. To \
                fix this, end the chain, or compute several of its steps in one closure.
                """)
    }

    static func selectorMadeAnew(_ origin: ActionOrigin) -> ProgrammerError {
        ProgrammerError(
            kind: .selectorMadeAnew,
            description: """
                The selector made at \(origin) was made anew each time that it was read. A store knows \
                a selector by the value that was made, not by its closure, so it computes everything \
                with each read and uses none of it again. To fix this, make the selector once, as in \
                `static let open = StateSelector(…)`, and read that. For one that depends on a value, keep \
                a SelectorFamily in the constant and read its member: `openOf(owner)`.
                """)
    }
}
