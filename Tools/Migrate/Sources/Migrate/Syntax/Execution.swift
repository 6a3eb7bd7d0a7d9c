// SPDX-License-Identifier: MIT

internal import SwiftSyntax

/// Where a closure runs that is handed to a call.
enum Execution: Equatable {
    case main
    case background
    /// One after the other on a queue of the app's own, and whether the call waits.
    case ownQueue(waits: Bool)
    /// Under a lock.
    case locked
    /// In a task that runs where it was made.
    case task
    /// Where that is not known.
    case unknown
}

extension CodeBase {
    /// Where a closure runs that is handed to a call.
    func execution(of closure: ClosureExprSyntax) -> Execution {
        if closure.isOnMainActor { return .main }
        return closure.receiver.map { execution(in: $0.call) } ?? .unknown
    }

    private func execution(in call: FunctionCallExprSyntax) -> Execution {
        guard let name = call.calleeName else { return .unknown }
        let base = call.base
        switch name {
        case "async", "asyncAfter", "sync", "asyncAndWait":
            return base.map { queue(of: $0, waits: !name.hasPrefix("async")) } ?? .unknown
        case "Task": return declares("Task") ? .unknown : .task
        case "detached": return base?.lastName == "Task" ? .background : .unknown
        case "run": return base?.lastName == "MainActor" ? .main : .unknown
        case "addOperation", "addBarrierBlock":
            return base?.lastName == "main" ? .main : .background
        case "perform": return base?.lastName == "main" ? .main : .unknown
        case "addTask", "addTaskUnlessCancelled", "dataTask", "downloadTask", "uploadTask",
            "detachNewThread", "concurrentPerform", "performBackgroundTask", "BlockOperation",
            "Thread":
            return declares(name) || !targets(of: call).isEmpty ? .unknown : .background
        case "withLock", "withLockUnchecked", "performAndWait": return .locked
        case "synchronized" where targets(of: call).isEmpty: return .locked
        default: return wrapped(by: call)
        }
    }

    /// Where a function of the app's own runs a closure, as far as its words tell.
    private func wrapped(by call: FunctionCallExprSyntax) -> Execution {
        guard let body = targets(of: call).first?.as(FunctionDeclSyntax.self)?.body else {
            return .unknown
        }
        let words = Set(body.tokens(viewMode: .sourceAccurate).map(\.text))
        if !words.isDisjoint(with: ["lock", "objc_sync_enter", "os_unfair_lock_lock", "withLock"]) {
            return .locked
        }
        guard words.contains("DispatchQueue") else { return .unknown }
        return words.contains("main") ? .main : words.contains("global") ? .background : .unknown
    }

    /// What an expression of a queue says about it: whether it is the main one, a global one or the
    /// app's.
    private func queue(of base: ExprSyntax, waits: Bool) -> Execution {
        switch base.lastName {
        case "main": return .main
        case "global": return .background
        default: break
        }
        guard let value = value(of: base) else {
            let isQueue = type(of: base).map { $0.hasPrefix("DispatchQueue") }
            let isNamedSo = base.lastName?.lowercased().hasSuffix("queue") ?? false
            return isQueue ?? isNamedSo ? .ownQueue(waits: waits) : .unknown
        }
        if value.id != base.id, value.lastName == "main" || value.lastName == "global" {
            return queue(of: value, waits: waits)
        }
        return value.as(FunctionCallExprSyntax.self)?.constructedType == "DispatchQueue"
            ? .ownQueue(waits: waits) : .unknown
    }

    /// What a variable or a property was given at its declaration; of a call, the call.
    private func value(of expression: ExprSyntax) -> ExprSyntax? {
        if expression.is(FunctionCallExprSyntax.self) { return expression }
        if let reference = expression.as(DeclReferenceExprSyntax.self) {
            switch meaning(of: reference.baseName.text, at: Syntax(reference)) {
            case .property(let property, _), .global(let property):
                return property.binding.initializer?.value
            case .local, .unknown: return nil
            }
        }
        guard let access = expression.as(MemberAccessExprSyntax.self), let base = access.base,
            let owner = type(of: base)
        else { return nil }
        return property(access.declName.baseName.text, of: owner)?.binding.initializer?.value
    }

    /// Whether a call starts work that goes on after it returned.
    func startsWork(_ call: FunctionCallExprSyntax) -> Bool {
        switch call.calleeName {
        case "async", "asyncAfter":
            return call.base.map { queue(of: $0, waits: false) != .unknown } ?? false
        case "Task", "Thread": return !declares(call.calleeName ?? "")
        case "detached": return call.base?.lastName == "Task"
        case "scheduledTimer": return call.base?.lastName == "Timer"
        case "dataTask", "downloadTask", "uploadTask", "addOperation", "detachNewThread", "sink":
            return targets(of: call).isEmpty
        case "perform": return call.argument("afterDelay") != nil
        default: return false
        }
    }
}
