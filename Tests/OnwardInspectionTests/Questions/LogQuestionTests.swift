// SPDX-License-Identifier: MIT

import Onward
import OnwardInspection
import OnwardJournal
import OnwardNavigation
import Testing

/// What follows from a question.
struct LogQuestionTests {
    /// A value for each field.
    private func values(_ fields: [QuestionField]) -> DataValue {
        var values: DataValue = [:]
        for field in fields {
            values[field.name] =
                switch field.kind {
                case .text: "a/b?c=d&e"
                case .texts: ["x", "y"]
                case .integer: -7
                case .entry: 7
                case .truth: true
                case .object: ["price": "5", "to": "x"]
                }
        }
        return values
    }

    @Test func `what is written as an address is read as the same question`() throws {
        for type in Questions.all {
            let all = values(type.fields)
            let location = type.location(of: all)
            let question = try #require(
                try Questions.question(at: location), "\(type.address) is not found")
            #expect(Swift.type(of: question) == type, "\(type.address) is taken for another")
            #expect(question.location == location)
            // Each field that was declared is one of the type's.
            let encoded = try DataValue(encoding: question)
            #expect(encoded == all, "\(type.address) has other fields")
            let text = try #require(RouteLocation(location.description))
            #expect(try Questions.question(at: text)?.location == location)
        }
    }

    @Test func `a question may leave out what it needn't say`() throws {
        for type in Questions.all {
            let location = type.location(of: values(type.fields))
            var least = location
            let marks = RouteLocation("/" + type.address)?.query.fields.map(\.name) ?? []
            least.query = [:]
            for name in marks { least.query.append(location.query[name] ?? "", as: name) }
            #expect(try Questions.question(at: least).map { Swift.type(of: $0) == type } == true)
        }
    }

    @Test func `a field that has its place in the address isn't taken from elsewhere`() throws {
        let location = try #require(RouteLocation("/entries/7?id=8"))
        #expect(try Questions.question(at: location) as? EntryQuestion == EntryQuestion(7))
    }

    @Test func `an answer is read as it was written`() throws {
        func check<Question: LogQuestion>(_ type: Question.Type) throws {
            let written = try Question.Answer.example.written()
            #expect(written.fields != nil, "\(type.address) is answered with no object")
            #expect(try Question.Answer(written: written).bounded.written() == written)
        }
        for type in Questions.all { try check(type) }
    }
}
