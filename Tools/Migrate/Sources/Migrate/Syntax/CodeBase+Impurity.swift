// SPDX-License-Identifier: MIT

internal import SwiftSyntax

extension CodeBase {
    /// Where steps do something that gives another answer each time, or change what is not theirs.
    func impurities(in steps: Steps) -> [Syntax] {
        steps.calls.filter(isImpure).map(\.place)
            + steps.accesses.filter(isImpure).map { Syntax($0.declName) }
            + steps.assignments.filter(changesSharedVariable).map { Syntax($0.target) }
    }

    private func isImpure(_ call: FunctionCallExprSyntax) -> Bool {
        guard let name = call.calleeName else { return false }
        if let type = call.constructedType, !declares(type) {
            return ["UUID", "NSUUID", "Date", "NSDate"].contains(type)
                && (call.arguments.isEmpty || call.argument("timeIntervalSinceNow") != nil)
        }
        let isFree = call.callee.is(DeclReferenceExprSyntax.self)
        if isFree { return Self.impureFunctions.contains(name) && functions[name] == nil }
        // A method of the app's own is followed instead.
        guard targets(of: call).isEmpty else { return false }
        switch name {
        case "random": return call.argument("using") == nil && call.base.map(isSystemType) ?? true
        case "shuffle", "shuffled", "randomElement": return call.arguments.isEmpty
        case "now": return ["DispatchTime", "ContinuousClock"].contains(call.base?.lastName)
        default: return false
        }
    }

    private func isImpure(_ access: MemberAccessExprSyntax) -> Bool {
        guard let base = access.base?.lastName, !declares(base) else { return false }
        return Self.impureMembers.contains("\(base).\(access.declName.baseName.text)")
    }

    private func isSystemType(_ base: ExprSyntax) -> Bool {
        base.lastName.map { !declares($0) } ?? true
    }

    /// Whether a variable of a file, or a static one, is changed.
    private func changesSharedVariable(_ assignment: Assignment) -> Bool {
        var target = assignment.target
        while true {
            if let access = target.as(MemberAccessExprSyntax.self), let base = access.base {
                if let type = base.as(DeclReferenceExprSyntax.self)?.baseName.text,
                    types[type]?.properties[access.declName.baseName.text]?.isStatic == true
                {
                    return true
                }
                target = base
            } else if let item = target.as(SubscriptCallExprSyntax.self) {
                target = item.calledExpression
            } else if let inner = target.as(OptionalChainingExprSyntax.self) {
                target = inner.expression
            } else if let inner = target.as(ForceUnwrapExprSyntax.self) {
                target = inner.expression
            } else {
                break
            }
        }
        guard let name = target.as(DeclReferenceExprSyntax.self)?.baseName.text else {
            return false
        }
        switch meaning(of: name, at: Syntax(target)) {
        case .global(let property): return property.isVariable
        case .property(let property, _): return property.isStatic
        case .local, .unknown: return false
        }
    }

    private static let impureFunctions: Set = [
        "arc4random", "arc4random_uniform", "rand", "random", "drand48", "time", "clock",
        "CFAbsoluteTimeGetCurrent", "CACurrentMediaTime", "mach_absolute_time", "NSUserName",
    ]

    private static let impureMembers: Set = [
        "Date.now", "UserDefaults.standard", "NotificationCenter.default", "FileManager.default",
        "ProcessInfo.processInfo", "UIApplication.shared", "UIDevice.current", "Locale.current",
        "Calendar.current", "TimeZone.current", "HTTPCookieStorage.shared", "UIPasteboard.general",
        "ContinuousClock.now", "UIScreen.main", "URLCache.shared",
    ]
}
