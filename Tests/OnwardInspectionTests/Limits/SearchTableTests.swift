// SPDX-License-Identifier: MIT

import Testing

@testable import OnwardInspection

struct SearchTableTests {
    private var table = SearchTable<String>()
    private let found = FoundTest(source: "test", isShortest: true)

    @Test mutating func `a search goes on while a page asks for it`() {
        #expect(table.ask("a", at: .zero) == .new)
        #expect(table.isWanted("a", at: .seconds(2)))
        #expect(table.ask("a", at: .seconds(2)) == .known)
        #expect(table.isWanted("a", at: .milliseconds(4_999)))
        #expect(!table.isWanted("a", at: .seconds(5)))
    }

    @Test mutating func `a search goes on while a request waits for it, and no longer`() throws {
        let (waiter, start) = table.join("a", at: .zero)
        let number = try #require(waiter)
        #expect(start == .new)
        #expect(table.isWanted("a", at: .seconds(3_600)))
        table.leave("a", number)
        #expect(!table.isWanted("a", at: .seconds(3_600)))
    }

    @Test
    mutating func `those who wait are the ones to be answered, and later ones see the result`() {
        let first = table.join("a", at: .zero)
        let second = table.join("a", at: .zero)
        #expect(second.start == .known)
        table.note("a", entries: 5, runs: 2)
        #expect(table.status(of: "a") == .searching(entries: 5, runs: 2))
        #expect(
            table.end("a", with: .success(found))
                == Set([first.waiter, second.waiter].compactMap { $0 }))
        #expect(table.status(of: "a") == .found(found))
        #expect(table.join("a", at: .zero).waiter == nil)
    }

    @Test mutating func `a search that was given up is forgotten, and begins anew`() {
        _ = table.ask("a", at: .zero)
        #expect(table.end("a", with: nil) == [])
        #expect(table.status(of: "a") == .none)
        #expect(table.ask("a", at: .zero) == .new)
    }

    @Test mutating func `only so many wait, and only so many results are kept`() {
        for number in 0..<SearchTable<String>.mostWaiting {
            #expect(table.ask("\(number)", at: .zero) == .new)
        }
        #expect(table.ask("one more", at: .zero) == .refused)
        #expect(table.join("one more", at: .zero).waiter == nil)
        for number in 0..<20 {
            _ = table.ask("\(number)", at: .zero)
            _ = table.end("\(number)", with: .success(found))
        }
        #expect(table.status(of: "11") == .none)
        #expect(table.status(of: "12") == .found(found))
    }
}
