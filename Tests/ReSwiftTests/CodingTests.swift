// SPDX-License-Identifier: MIT

import ReSwift
import Testing

@Suite("Coding")
struct CodingTests {
    private struct Named: Coding, Equatable {
        let name: String

        init(name: String) { self.name = name }

        init?(dictionary: [String: AnyObject]) {
            guard let name = dictionary["name"] as? String else { return nil }
            self.name = name
        }

        var dictionaryRepresentation: [String: AnyObject] { ["name": name as AnyObject] }
    }

    @Test func `A value goes through a dictionary and comes back`() {
        let value = Named(name: "Ada")
        #expect(Named(dictionary: value.dictionaryRepresentation) == value)
        #expect(Named(dictionary: [:]) == nil)
    }
}
