// SPDX-License-Identifier: MIT

internal import Onward

extension Redaction {
    /// Checks that each rule about actions is about some that features handle: any other would hide nothing, and nobody
    /// would notice.
    ///
    /// Which cases a type has is known of the enums whose decoding the compiler made.
    ///
    /// - Throws: ``ReportError/Code/unknownAction``.
    /// - Complexity: O(rules × registered types, their cases and fields).
    func check(_ registered: ActionRegistry) throws(ReportError) {
        for name in actions.map(\.name) where registered.type(named: name) == nil {
            let type = String(name.prefix { $0 != "/" })
            guard let known = registered.type(named: type) else {
                throw .unknownAction(
                    name, of: type,
                    registered.names.filter { $0 != Reinstalled<State>.actionName })
            }
            guard let decodable = known as? any (Action & Decodable).Type else { continue }
            let shapes = ActionShape.all(in: decodable).map(\.name)
            guard !shapes.isEmpty, shapes.allSatisfy({ $0.contains("/") }) else { continue }
            guard shapes.contains(name) else {
                throw .unknownCase(name, of: type, shapes.map { $0.dropFirst(type.count + 1) })
            }
        }
    }
}

extension ReportError {
    fileprivate static func unknownAction(
        _ name: String, of type: String, _ registered: [String]
    ) -> ReportError {
        let rest = name.dropFirst(type.count)
        return ReportError(
            .unknownAction,
            """
            The redaction has a rule about "\(name)", but these features handle no actions of that name, so \
            the rule would hide and allow nothing. \(hint(type, registered) { $0 + rest }) The name of a type \
            inside others has theirs before it, as in "Account.Deposit".
            """)
    }

    fileprivate static func unknownCase(
        _ name: String, of type: String, _ cases: [Substring]
    ) -> ReportError {
        let given = String(name.dropFirst(type.count + 1))
        return ReportError(
            .unknownAction,
            """
            The redaction has a rule about "\(name)", but \(type) has no such case, so the rule would hide \
            and allow nothing. \(hint(given, cases.map(String.init)) { "\(type)/\($0)" })
            """)
    }

    /// Which names may be meant; else which there are.
    private static func hint(
        _ name: String, _ known: [String], _ whole: (String) -> String
    ) -> String {
        let near = known.map { (name: $0, distance: distance(name, $0)) }
            .filter { $0.distance <= max(1, name.count / 3) }
            .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
        guard near.isEmpty else {
            let names = near.prefix(3).map { "\"\(whole($0.name))\"" }
            return "Is it \(names.joined(separator: " or "))?"
        }
        let rest = known.count > 20 ? ", and \(known.count - 20) more" : ""
        return "They are: \(known.prefix(20).joined(separator: ", "))\(rest)."
    }

    /// How many characters differ in two names; what is around a nested type doesn't count.
    private static func distance(_ name: String, _ known: String) -> Int {
        if known.hasSuffix(".\(name)") { return 0 }
        let known = Array(known.lowercased().prefix(256))
        var row = Array(0...known.count)
        for (index, character) in name.lowercased().prefix(256).enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in known.indices {
                let change = diagonal + (known[column] == character ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(change, diagonal + 1, row[column] + 1)
            }
        }
        return row[known.count]
    }
}
