// SPDX-License-Identifier: MIT

internal import SwiftSyntax

extension Rule {
    static let lockedDispatch = Rule(
        name: "locked-dispatch", certainty: .look,
        what: "a dispatch under a lock, or on a queue of its own",
        why: """
            The store needs no guard any more. A lock that subscribers take as well can deadlock, as \
            another thread may be notifying them; behind a queue, screens are notified later than they \
            need to be.
            """,
        write: "Dispatch without the lock or the queue; it may stay for what it guards besides.",
        example: """
            final class Bell: Sendable {
                let store: Store<Rings>

                init(store: Store<Rings>) { self.store = store }

                func ring() { store.dispatch(Ring()) }  // from any thread
            }
            """
    ) { file, codeBase in
        let closures = file.outline.closures.filter { closure in
            switch codeBase.execution(of: closure) {
            case .locked, .ownQueue: true
            default: false
            }
        }.map(Syntax.init)
        let statements = file.outline.calls.flatMap(\.statementsUnderLock)
        return (closures + statements)
            .flatMap { codeBase.arrivals(at: .dispatch, from: $0) }.map(Place.init)
    }
}

extension FunctionCallExprSyntax {
    /// The statements between this call, if it takes a lock, and the one that frees it.
    fileprivate var statementsUnderLock: [Syntax] {
        let pairs = [
            "lock": "unlock", "objc_sync_enter": "objc_sync_exit", "wait": "signal",
            "os_unfair_lock_lock": "os_unfair_lock_unlock",
            "pthread_mutex_lock": "pthread_mutex_unlock",
        ]
        guard let name = calleeName, let end = pairs[name],
            let item = parent?.as(CodeBlockItemSyntax.self),
            let items = item.parent?.as(CodeBlockItemListSyntax.self)
        else { return [] }
        let rest = items.drop { $0.id != item.id }.dropFirst()
        let frees = { (item: CodeBlockItemSyntax) in
            item.tokens(viewMode: .sourceAccurate).contains { $0.text == end }
        }
        // A lock that is not freed here was not a lock, or is beyond what can be followed.
        guard rest.contains(where: frees) else { return [] }
        let isDeferred = rest.contains { $0.item.is(DeferStmtSyntax.self) && frees($0) }
        let guarded = isDeferred ? rest : rest.prefix { !frees($0) || !$0.isCall }
        return guarded.filter { !$0.item.is(DeferStmtSyntax.self) }.map(Syntax.init)
    }
}

extension CodeBlockItemSyntax {
    fileprivate var isCall: Bool { item.is(FunctionCallExprSyntax.self) }
}
