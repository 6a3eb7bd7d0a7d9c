// SPDX-License-Identifier: MIT

public import Onward
internal import OnwardJournal

/// What redaction did to a report, and whether the redacted log takes the same course as the real
/// one.
public struct RedactionSummary: Sendable, Hashable {
    /// How many values were replaced by stand-ins, counting each occurrence.
    public var replaced: Int
    /// How many different values these were.
    public var standIns: Int
    /// Whether the redacted log takes the same course as the real one, as far as it was compared.
    public var course: Course
    /// The questions about the state that were compared, by name: those of
    /// ``Redaction/checking(_:_:)``.
    public var questions: [String] = []
    /// The rules that matched no value in the session, as they are written: there may have been
    /// none, or the name in the rule differs from that of the encoded value, and what it should
    /// hide was not hidden.
    public var unmatched: [String] = []

    /// Whether the redacted log takes the same course as the real one, as far as it was compared.
    ///
    /// The comparison covers which entries were handled and which routes were shown, and the
    /// answers to the app's own questions, if there are any. The states themselves differ.
    public enum Course: Sendable, Hashable {
        /// The same entries were handled, the same routes shown, and all ``questions`` had the same
        /// answers after each entry.
        ///
        /// Without questions the two runs may differ in everything else.
        case same
        /// An entry was handled in one run and not in the other.
        case handled(CommitVersion)
        /// The screens of a `RouteStack`, of a `ScreenStack` or of `RouteTabs` differ after an
        /// entry.
        case routes(CommitVersion)
        /// A question had a different answer after an entry.
        case answer(CommitVersion, predicate: String)
        /// A stand-in, in the state or in the entry of a version, can't be decoded, so there is no
        /// fold.
        case unreadable(CommitVersion)
    }

    /// Whether the course is the same, as far as it was compared; the more ``questions``, the more
    /// this says.
    public var isFaithful: Bool { course == .same }
}

extension RedactionSummary {
    var value: DataValue {
        let course: DataValue =
            switch course {
            case .same: ["same"]
            case .handled(let version): ["handled", .unsigned(version)]
            case .routes(let version): ["routes", .unsigned(version)]
            case .answer(let version, let name): ["answer", .unsigned(version), .text(name)]
            case .unreadable(let version): ["unreadable", .unsigned(version)]
            }
        return [
            "replaced": .integer(Int64(replaced)), "standIns": .integer(Int64(standIns)),
            "course": course, "questions": .list(questions.map { .text($0) }),
            "unmatched": .list(unmatched.map { .text($0) }),
        ]
    }

    init?(_ value: DataValue) {
        guard let replaced = value["replaced"]?.integer(as: Int.self),
            let standIns = value["standIns"]?.integer(as: Int.self),
            let fields = value["course"]?.list, let kind = fields.first?.text
        else { return nil }
        let version = fields.dropFirst().first?.integer(as: CommitVersion.self)
        switch (kind, version, fields.count) {
        case ("same", _, 1): course = .same
        case ("handled", let version?, 2): course = .handled(version)
        case ("routes", let version?, 2): course = .routes(version)
        case ("unreadable", let version?, 2): course = .unreadable(version)
        case ("answer", let version?, 3):
            guard let name = fields[2].text else { return nil }
            course = .answer(version, predicate: name)
        default: return nil
        }
        // Older reports have none.
        guard let questions = Self.texts(value["questions"]),
            let unmatched = Self.texts(value["unmatched"])
        else { return nil }
        (self.replaced, self.standIns) = (replaced, standIns)
        (self.questions, self.unmatched) = (questions, unmatched)
    }

    /// A list of texts, which may be missing; nil for anything else.
    private static func texts(_ value: DataValue?) -> [String]? {
        guard let value else { return [] }
        guard let list = value.list else { return nil }
        let texts = list.compactMap(\.text)
        return texts.count == list.count ? texts : nil
    }
}
