// SPDX-License-Identifier: MIT

public import Onward
internal import OnwardJournal

/// What redaction did to a report, and whether the redacted log takes the same course as the real one.
public struct RedactionSummary: Sendable, Hashable {
    /// How many values were replaced by stand-ins, each time that they occur.
    public var replaced: Int
    /// How many different values these were.
    public var standIns: Int
    /// Whether the redacted log takes the same course as the real one.
    public var course: Course

    /// Whether the redacted log takes the same course as the real one, as far as it was compared.
    public enum Course: Sendable, Hashable {
        /// The same entries were handled, the same routes shown, and all predicates of the app gave the same answers
        /// after each entry.
        case same
        /// An entry was handled in one run and not in the other.
        case handled(Version)
        /// The screens of a `RouteStack` or of `RouteTabs` are others after an entry.
        case routes(Version)
        /// A predicate gave another answer after an entry.
        case answer(Version, predicate: String)
        /// A stand-in can't be decoded, so there is no fold: the state, or the entry of a version.
        case unreadable(Version)
    }

    /// Whether the course is the same.
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
            "course": course,
        ]
    }

    init?(_ value: DataValue) {
        guard let replaced = value["replaced"]?.integer(as: Int.self),
            let standIns = value["standIns"]?.integer(as: Int.self),
            let fields = value["course"]?.list, let kind = fields.first?.text
        else { return nil }
        let version = fields.dropFirst().first?.integer(as: Version.self)
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
        (self.replaced, self.standIns) = (replaced, standIns)
    }
}
