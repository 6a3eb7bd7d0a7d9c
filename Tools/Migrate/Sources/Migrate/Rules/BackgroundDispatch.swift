// SPDX-License-Identifier: MIT

internal import SwiftSyntax

extension Rule {
    static let backgroundDispatch = Rule(
        name: "background-dispatch", certainty: .look,
        what: "a dispatch away from the main thread",
        why: """
            It is safe now. Subscribers that subscribed on the main thread are notified there, as soon \
            as it has time: after this dispatch has returned.
            """,
        write: """
            Leave it, unless what stands behind it counts on subscribers having been notified: then hop \
            to the main thread to dispatch.
            """,
        example: """
            func refresh(_ store: Store<Rates>) async throws {
                let euro = try await loadRate()
                await MainActor.run { store.dispatch(SetRate(euro: euro)) }
            }
            """
    ) { file, codeBase in
        guard !file.isOfTests else { return [] }
        let closures = file.outline.closures.filter { closure in
            switch codeBase.execution(of: closure) {
            case .background: true
            case .task: !codeBase.makesTasksOnMain(at: Syntax(closure))
            default: false
            }
        }.map(Syntax.init)
        let functions = file.outline.functions.map(Syntax.init).filter {
            codeBase.isolation(of: $0) == .elsewhere
        }
        return (closures + functions)
            .flatMap { codeBase.arrivals(at: .dispatchOffMain, from: $0) }.map(Place.init)
    }
}
