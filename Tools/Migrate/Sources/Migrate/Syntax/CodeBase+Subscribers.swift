// SPDX-License-Identifier: MIT

internal import SwiftSyntax

extension CodeBase {
    /// The functions and closures of a file that a store tells of states.
    func subscriberBodies(in file: SourceFile) -> [Syntax] {
        let functions = file.outline.functions.filter { function in
            guard ["newState", "_newState"].contains(function.name.text),
                function.signature.parameterClause.parameters.count == 1,
                let type = function.enclosingType
            else { return false }
            let lineage = lineage(of: type.name)
            // What a superclass from elsewhere conforms to is not known.
            return (file.importsCompatibleModule && lineage.count > 1)
                || !lineage.isDisjoint(with: ["StoreSubscriber", "AnyStoreSubscriber"])
        }
        let closures = file.outline.closures.filter { closure in
            guard let call = closure.receiver?.call else { return false }
            // Those of ReduxSwift have a key.
            if call.calleeName == "subscribe" {
                return call.argument("key") != nil && file.imports.contains("ReduxSwift")
            }
            // Objects that call a closure.
            return call.constructedType.map { lineage(of: $0).contains("StoreSubscriber") } ?? false
        }
        return functions.map(Syntax.init) + closures.map(Syntax.init)
    }
}
