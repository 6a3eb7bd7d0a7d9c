// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal

/// The parts of a session that may leave the device.
///
/// Texts and bytes are replaced by stand-ins unless a rule allows them; numbers and Boolean values
/// stay unless a rule hides them. Anything marked with the type `Redacted` is always replaced.
///
/// ```swift
/// let redaction = Redaction<Shop>()
///     .allowing(\.catalogue)
///     .allowing(action: "BasketAction/add", "sku")
///     .hiding(\.profile.birthYear)
///     .checking("total") { $0.basket.total > 0 }
/// ```
///
/// A stand-in is random for each report, of the same type, and equal where the originals were
/// equal: in the state, in actions, in the ids of addresses. The mapping is never written, and
/// neither are hashes, which can be guessed. A text that is a UUID, a URL, an email address or a
/// number becomes another one; all others become ten letters. Empty texts stay empty. Order, sums,
/// parsing and prefixes of redacted values don't survive.
///
/// Enum cases and field names belong to the program, and stay. Dictionary keys belong to the user.
///
/// Names in rules are those of the encoded values. Making a report fails if the features handle no
/// action with a name in a rule; a path that led to nothing is listed in
/// ``RedactionSummary/unmatched``.
public struct Redaction<State: Sendable>: Sendable {
    /// What is decided about a value.
    enum Verdict { case allowed, hidden }

    /// What is decided about values at a path.
    struct Rule: Sendable {
        /// The steps to the value; "*" stands for any one.
        let path: [String]
        let verdict: Verdict

        /// Whether the rule is about what is at a path, or above it.
        func covers(_ other: [String]) -> Bool {
            path.count <= other.count
                && zip(path, other).allSatisfy { $0 == "*" || $0 == $1 }
        }
    }

    /// What is decided about values in the payload of actions.
    struct ActionRule: Sendable {
        /// The name of a type, for an enum perhaps followed by "/" and the case.
        let name: String
        let rule: Rule

        /// Whether the rule is about actions of a name.
        func isAbout(_ action: String) -> Bool {
            name == action || name == action.prefix { $0 != "/" }
        }
    }

    /// A question to a state, whose answer must be the same in the redacted fold.
    struct Predicate: Sendable {
        let name: String
        let answer: @Sendable (State) -> String
    }

    private(set) var states: [Rule] = []
    private(set) var actions: [ActionRule] = []
    private(set) var texts: [(verdict: Verdict, covers: @Sendable (String) -> Bool)] = []
    private(set) var predicates: [Predicate] = []

    /// Creates a redaction that replaces all texts and bytes.
    public init() {}

    /// Allows the value at a key path to leave the device.
    public func allowing(_ path: any PartialKeyPath<State> & Sendable) -> Redaction {
        adding(Self.steps(of: path), .allowed)
    }

    /// Allows the value at a path of the encoded state to leave the device.
    ///
    /// - Parameter path: Names joined by dots, "*" for any element or key, such as
    ///   `basket.items.*.sku`.
    /// - Returns: The redaction with the rule.
    public func allowing(state path: String) -> Redaction { adding(Self.steps(path), .allowed) }

    /// Allows the payload of actions, or a field of it, to leave the device.
    ///
    /// - Parameters:
    ///   - name: The name of the actions, such as `BasketAction/add`, or `BasketAction` for all of
    ///     its cases; for a nested type, with the outer types, as in `Shop.BasketAction`.
    ///   - path: The field, as in ``allowing(state:)``; empty for the whole payload.
    /// - Returns: The redaction with the rule.
    public func allowing(action name: String, _ path: String = "") -> Redaction {
        adding(name, Self.steps(path), .allowed)
    }

    /// Allows texts that pass a rule to leave the device, wherever they are.
    public func allowingTexts(where rule: @escaping @Sendable (String) -> Bool) -> Redaction {
        var redaction = self
        redaction.texts.append((.allowed, rule))
        return redaction
    }

    /// Replaces everything at a key path, including numbers and Boolean values.
    public func hiding(_ path: any PartialKeyPath<State> & Sendable) -> Redaction {
        adding(Self.steps(of: path), .hidden)
    }

    /// Replaces everything at a path of the encoded state, as in ``allowing(state:)``.
    public func hiding(state path: String) -> Redaction { adding(Self.steps(path), .hidden) }

    /// Replaces the whole payload of actions, or a field of it, as in ``allowing(action:_:)``.
    public func hiding(action name: String, _ path: String = "") -> Redaction {
        adding(name, Self.steps(path), .hidden)
    }

    /// Replaces texts that pass a rule, wherever they are, even where another rule allows them.
    public func hidingTexts(where rule: @escaping @Sendable (String) -> Bool) -> Redaction {
        var redaction = self
        redaction.texts.append((.hidden, rule))
        return redaction
    }

    /// Makes a report state whether a question about the state has the same answer in the redacted
    /// run after each entry: which screen is shown, whether a total is positive, how many rows
    /// there are.
    ///
    /// Values themselves aren't compared, because replaced values differ. So without a question, a
    /// report says nothing about what the reducers did with them; ask about what matters for
    /// decisions in your app.
    ///
    /// - Parameters:
    ///   - name: What the report calls the question.
    ///   - answer: The answer; it is compared, and never written.
    /// - Returns: The redaction with the question.
    public func checking<Answer: Sendable>(
        _ name: String, _ answer: @escaping @Sendable (State) -> Answer
    ) -> Redaction {
        var redaction = self
        redaction.predicates.append(Predicate(name: name) { String(describing: answer($0)) })
        return redaction
    }

    private func adding(_ path: [String], _ verdict: Verdict) -> Redaction {
        var redaction = self
        redaction.states.append(Rule(path: path, verdict: verdict))
        return redaction
    }

    private func adding(_ name: String, _ path: [String], _ verdict: Verdict) -> Redaction {
        var redaction = self
        redaction.actions.append(
            ActionRule(name: name, rule: Rule(path: path, verdict: verdict)))
        return redaction
    }

    private static func steps(_ path: String) -> [String] {
        path.split(separator: ".").map(String.init)
    }

    /// `\Shop.basket.total` is `basket.total`.
    private static func steps(of path: AnyKeyPath) -> [String] {
        let text = "\(path)"
        guard text.hasPrefix("\\") else { return [text] }
        let type = String(reflecting: State.self)
        let rest =
            text.dropFirst().hasPrefix(type)
            ? text.dropFirst(1 + type.count) : text.dropFirst()[...]
        let known = text.dropFirst().hasPrefix(type) ? rest : rest.drop { $0 != "." }
        return known.split(separator: ".").map { step in
            String(step.filter { $0 != "?" && $0 != "!" })
        }
    }

    /// What rules say about a path of the state; what hides comes before what allows.
    func verdict(state path: [String]) -> Verdict? {
        Self.decide(states.filter { $0.covers(path) })
    }

    /// What rules say about a path of the payload of an action.
    func verdict(action name: String, _ path: [String]) -> Verdict? {
        Self.decide(actions.filter { $0.isAbout(name) && $0.rule.covers(path) }.map(\.rule))
    }

    private static func decide(_ rules: [Rule]) -> Verdict? {
        if rules.contains(where: { $0.verdict == .hidden }) { return .hidden }
        return rules.isEmpty ? nil : .allowed
    }

    /// What rules say about a text; nil if none does.
    func verdict(text: String) -> Verdict? {
        let covering = texts.filter { $0.covers(text) }
        if covering.contains(where: { $0.verdict == .hidden }) { return .hidden }
        return covering.isEmpty ? nil : .allowed
    }
}
