// SPDX-License-Identifier: MIT

extension Rule {
    /// The rules, the most certain ones first.
    static let all = [
        dispatchInNewState, dispatchInReducer, subclass, internals, twoImports, stateType,
        olderReducer, ownComparison, filter, backgroundDispatch, lockedDispatch, sharedState,
        sharedAction, missingCompletion, subscriptionsPlace,
    ]

    /// A dispatch, also one of a store that has another name.
    private static func dispatches(
        in source: SourceText, _ range: Range<String.Index>
    ) -> [String.Index] {
        source.matches(of: /\bdispatch\s*[({]/, in: range).map(\.range.lowerBound)
    }

    private static let dispatchInNewState = Rule(
        name: .dispatchInNewState, certainty: .differs,
        advice: """
            Subscribers are told of what is dispatched here after all of them were told of the state \
            before, no longer in the middle of it; store.state has it at once.
            """
    ) { source, _ in
        source.matches(of: /\bfunc\s+_?newState\s*\(/).flatMap { match in
            source.block(after: match.range.upperBound).map { dispatches(in: source, $0) } ?? []
        }
    }

    private static let dispatchInReducer = Rule(
        name: .dispatchInReducer, certainty: .differs,
        advice: """
            Inside a reducer this was a fatal error. Now it stops a debug build; a release build logs \
            the mistake and refuses the action. Dispatch from a middleware or a thunk.
            """
    ) { source, _ in
        let reducer = /\bfunc\s+\w+\s*\(\s*_?\s*action\s*:\s*(?:any\s+)?Action\s*,\s*_?\s*state\s*:/
        return source.matches(of: reducer).flatMap { match in
            source.block(after: match.range.upperBound).map { dispatches(in: source, $0) } ?? []
        }
    }

    private static let subclass = Rule(
        name: .subclass, certainty: .differs,
        advice: """
            A subclass gets a warning, as it must restate that it is safe to share: write \
            "Store<…>, @unchecked Sendable", once its own variables are guarded.
            """
    ) { source, _ in
        guard source.importsCompatibleModule else { return [] }
        return source.matches(of: /\bclass\s+\w+(?:<[^>{]*>)?\s*:[^{]*?\bStore\s*<[^{]*\{/)
            .filter { !$0.0.contains("@unchecked Sendable") }.map(\.range.lowerBound)
    }

    private static let internals = Rule(
        name: .internals, certainty: .differs,
        advice: "The module has other internals; only its public interface is the same."
    ) { source, _ in
        let pattern = /@testable\s+import\s+(?:ReSwift|ReSwiftThunk|ReSwiftRouter|ReduxSwift)\b/
        return source.matches(of: pattern).map(\.range.lowerBound)
    }

    private static let twoImports = Rule(
        name: .twoImports, certainty: .differs,
        advice: """
            Both modules have an Action, a Store, a Middleware and a Subscription: write \
            ReSwift.Action or Onward.Action where the compiler finds them ambiguous.
            """
    ) { source, _ in
        guard source.imports("ReSwift") || source.imports("ReduxSwift") else { return [] }
        return source.matches(of: /\bimport\s+Onward\b/).map(\.range.lowerBound)
    }

    private static let stateType = Rule(
        name: .stateType, certainty: .differs,
        advice: """
            StateType is another name of Any now and cannot be extended. Give the states a protocol of \
            your own.
            """
    ) { source, _ in
        source.matches(of: /\bextension\s+StateType\b/).map(\.range.lowerBound)
    }

    private static let olderReducer = Rule(
        name: .olderReducer, certainty: .differs,
        advice: """
            Reducers that are objects went with ReSwift 4. Make it a function, and call the parts of a \
            combined one in turn.
            """
    ) { source, _ in
        guard source.imports("ReSwift") else { return [] }
        return source.matches(of: /\b(?:CombinedReducer|AnyReducer|MainReducer)\b/)
            .map(\.range.lowerBound)
    }

    private static let ownComparison = Rule(
        name: .ownComparison, certainty: .look,
        advice: """
            The comparison gets the value that was passed on last, no longer the one of the state \
            before; that matters if small changes may add up.
            """
    ) { source, _ in
        source.matches(of: /\.skipRepeats\s*(?:\{|\(\s*\w)/).map(\.range.lowerBound)
    }

    private static let filter = Rule(
        name: .filter, certainty: .look,
        advice: """
            A value that this filter keeps back no longer counts as seen: if values are Equatable, one \
            that was told before it is not told again after it.
            """
    ) { source, _ in
        guard source.importsCompatibleModule else { return [] }
        return source.matches(of: /\.(?:skip|only)\s*(?:\(\s*when\s*:|\{)/)
            .map(\.range.lowerBound)
    }

    private static let backgroundDispatch = Rule(
        name: .backgroundDispatch, certainty: .look,
        advice: """
            Dispatching in the background is safe now. But who dispatches on the main thread meanwhile \
            may have its subscribers told by this thread: user interfaces hop to the main thread in \
            newState, or dispatch there only.
            """
    ) { source, _ in
        let pattern = /DispatchQueue\s*\.\s*global|\bTask\s*\.\s*detached|\.dataTask\s*\(/
        return source.matches(of: pattern).flatMap { match in
            source.block(after: match.range.upperBound).map { dispatches(in: source, $0) } ?? []
        }
    }

    private static let lockedDispatch = Rule(
        name: .lockedDispatch, certainty: .look,
        advice: """
            No lock is needed around the store. One that subscribers take as well can deadlock, as \
            another thread may be telling them.
            """
    ) { source, _ in
        let blocks = source.matches(of: /\.sync\s*(?:\([^)]*\)\s*)?\{|\bwithLock\s*\{/)
        let inBlocks = blocks.flatMap { match in
            source.block(after: match.range.lowerBound).map { dispatches(in: source, $0) } ?? []
        }
        let locks = source.matches(of: /\.lock\s*\(\s*\)/).flatMap { match -> [String.Index] in
            let rest = source.code[match.range.upperBound...]
            guard let unlock = rest.firstMatch(of: /\.unlock\s*\(\s*\)/) else { return [] }
            return dispatches(in: source, match.range.upperBound..<unlock.range.lowerBound)
        }
        return inBlocks + locks
    }

    private static let sharedState = Rule(
        name: .sharedState, certainty: .look,
        advice: """
            A state that is a class is the same object in every version of the log: a timeline cannot \
            bring old values back, and threads share it. Make it a struct.
            """
    ) { source, codeBase in
        source.matches(of: /\bclass\s+(\w+)/)
            .filter { codeBase.stateNames.contains(String($0.1)) }.map(\.range.lowerBound)
    }

    private static let sharedAction = Rule(
        name: .sharedAction, certainty: .look,
        advice: """
            An action that is a class is kept by the log: it must not change after it was dispatched. \
            Make it a struct.
            """
    ) { source, _ in
        guard source.importsCompatibleModule else { return [] }
        return source.matches(of: /\bclass\s+\w+[^{]*:[^{]*\bAction(?:Type)?\b[^{]*\{/)
            .map(\.range.lowerBound)
    }

    private static let missingCompletion = Rule(
        name: .missingCompletion, certainty: .look,
        advice: """
            The router waits for the completion handler without a time-out; here it does not seem to \
            be called or handed on.
            """
    ) { source, _ in
        let steps =
            /\bfunc\s+(?:push|pop|change)(?:RouteSegment)?\s*\([^{]*?\bcompletion(?:Handler)?\b(?:\s+(\w+))?\s*:/
        return source.matches(of: steps).compactMap { match in
            guard let block = source.block(after: match.range.upperBound) else { return nil }
            let names = [match.1.map(String.init), "completion"].compactMap(\.self)
            let isUsed = names.contains { source.code[block].contains($0) }
            return isUsed ? nil : match.range.lowerBound
        }
    }

    private static let subscriptionsPlace = Rule(
        name: .subscriptionsPlace, certainty: .look,
        advice: """
            Subscribers are told when the action was reduced, before middlewares behind this one in \
            the list of an action's way out have run, and not of actions that never reach the reducer.
            """
    ) { source, _ in
        guard source.imports("ReduxSwift") else { return [] }
        return source.matches(of: /\bmiddlewares\s*:\s*\[[^\]]*\.middleware\b/)
            .map(\.range.lowerBound)
    }
}
