// SPDX-License-Identifier: MIT

internal import OnwardJournal

/// The rules about paths that have led to no value yet in a session.
///
/// A path may lead to nothing as there is nothing now: no row, no error. But it may also be misspelled, or the type may
/// have coding keys of other names; then the rule hides nothing, and nobody notices.
struct UnmatchedRules<State: Sendable> {
    private var states: [Redaction<State>.Rule]
    private var actions: [(rule: Redaction<State>.ActionRule, isSeen: Bool)]

    /// All rules of a redaction.
    init(of redaction: Redaction<State>) {
        states = redaction.states
        actions = redaction.actions.map { ($0, false) }
    }

    /// Whether a rule about the state is left.
    var hasStates: Bool { !states.isEmpty }

    /// Takes out the rules that lead to something in a state.
    ///
    /// - Complexity: O(rules × size of the state) where a rule has "*", and leads to nothing.
    mutating func note(state: DataValue) {
        states.removeAll { state.leads(along: $0.path[...]) }
    }

    /// Takes out the rules that lead to something in an action.
    mutating func note(_ record: ActionRecord) {
        let name = record.name
        actions.removeAll {
            $0.rule.isAbout(name) && record.payload.leads(along: $0.rule.rule.path[...])
        }
        for index in actions.indices where actions[index].rule.isAbout(name) {
            actions[index].isSeen = true
        }
    }

    /// The rules that are left, as they are written; those about actions that didn't happen are not among them.
    var descriptions: [String] {
        states.map { "\($0.verdict.verb)(state: \"\($0.path.joined(separator: "."))\")" }
            + actions.filter(\.isSeen).map { action, _ in
                let path = action.rule.path.joined(separator: ".")
                return "\(action.rule.verdict.verb)(action: \"\(action.name)\", \"\(path)\")"
            }
    }
}

extension Redaction.Verdict {
    /// What the function is called that makes such a rule.
    fileprivate var verb: String {
        switch self {
        case .allowed: "allowing"
        case .hidden: "hiding"
        }
    }
}

extension DataValue {
    /// Whether there is a value at a path, whose steps are names and positions; "*" stands for any one.
    fileprivate func leads(along path: ArraySlice<String>) -> Bool {
        guard let step = path.first else { return true }
        let rest = path.dropFirst()
        switch self {
        case .object(let fields):
            return step == "*"
                ? fields.values.contains { $0.leads(along: rest) }
                : fields[step]?.leads(along: rest) == true
        case .list(let values):
            if step == "*" { return values.contains { $0.leads(along: rest) } }
            guard let index = Int(step), values.indices.contains(index) else { return false }
            return values[index].leads(along: rest)
        default: return false
        }
    }
}
