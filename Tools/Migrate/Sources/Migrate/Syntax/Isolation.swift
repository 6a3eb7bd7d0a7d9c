// SPDX-License-Identifier: MIT

internal import SwiftSyntax

/// On which thread code runs, as far as its declarations say.
enum Isolation {
    /// On the main actor.
    case main
    /// Not there: on an actor of its own, or as an asynchronous function of no actor.
    case elsewhere
    /// Where it is called.
    case caller
}

extension CodeBase {
    /// Where a function, an initializer, an accessor or a variable's value runs.
    func isolation(of declaration: Syntax) -> Isolation {
        var (isAsync, isNonisolated) = (false, false)
        for node in [declaration] + Array(declaration.ancestors) {
            if let closure = node.as(ClosureExprSyntax.self), node.id != declaration.id {
                switch execution(of: closure) {
                case .main: return .main
                case .background, .ownQueue(waits: false): return .elsewhere
                default: continue
                }
            }
            if let function = node.as(FunctionDeclSyntax.self) {
                isAsync = isAsync || function.signature.effectSpecifiers?.asyncSpecifier != nil
            }
            if let modified = node.asProtocol((any WithModifiersSyntax).self),
                modified.modifiers.contains(where: { $0.name.tokenKind == .keyword(.nonisolated) })
            {
                isNonisolated = true
            }
            if let group = node.asProtocol((any DeclGroupSyntax).self) {
                guard !isNonisolated, let type = TypeDeclaration(group) else { break }
                if types[type.name]?.declaration?.kind == .actor { return .elsewhere }
                if type.isOnMainActor || isOnMainActor(type.name) { return .main }
                break
            }
            if let attributed = node.asProtocol((any WithAttributesSyntax).self),
                attributed.attributes.isMainActor
            {
                return .main
            }
        }
        return isAsync ? .elsewhere : .caller
    }

    /// Whether a type is bound to the main actor, as what it inherits from the system says.
    func isOnMainActor(_ name: String) -> Bool {
        lineage(of: name).contains { types[$0]?.isOnMainActor == true || Self.isOfInterface($0) }
    }

    private static func isOfInterface(_ name: String) -> Bool {
        if [
            "View", "App", "Scene", "ViewModifier", "NSApplicationDelegate",
            "WKInterfaceController",
        ]
        .contains(name) {
            return true
        }
        let ends = [
            "View", "Controller", "Window", "Responder", "Delegate", "Cell", "Control", "Button",
            "Label",
        ]
        return (name.hasPrefix("UI") || name.hasPrefix("NS"))
            && ends.contains(where: name.hasSuffix)
    }

    /// Whether a task that is made at a place runs on the main actor.
    func makesTasksOnMain(at place: Syntax) -> Bool {
        for ancestor in place.ancestors {
            if let closure = ancestor.as(ClosureExprSyntax.self) {
                switch execution(of: closure) {
                case .main: return true
                case .background, .ownQueue: return false
                default: continue
                }
            }
            let isDeclaration =
                ancestor.is(FunctionDeclSyntax.self) || ancestor.is(InitializerDeclSyntax.self)
                || (ancestor.is(VariableDeclSyntax.self) && ancestor.enclosingType != nil)
            if isDeclaration { return isolation(of: ancestor) == .main }
        }
        // The statements of a main file.
        return true
    }
}
