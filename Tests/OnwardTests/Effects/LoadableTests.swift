// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

private typealias Books = Loadable<[String], Trouble>

private enum Trouble: Error, Codable, Equatable { case offline, refused(status: Int) }

@Suite struct LoadableTests {
    private static let all: [Books] = [
        .idle, .loading(), .loading(previous: ["Emma"]), .loaded(["Emma"]), .failed(.offline),
        .failed(.refused(status: 503), previous: ["Emma"]),
    ]

    @Test func `what is loaded the first time has no value until it comes`() {
        var books = Books.idle
        #expect(books.isIdle && books.value == nil)
        books.load()
        #expect(books == .loading(previous: nil) && books.isLoading && books.value == nil)
        books = .loaded(["Emma"])
        #expect(books.isLoaded && books.value == ["Emma"])
    }

    @Test func `the value from before is kept while another is loaded, and when that fails`() {
        var books = Books.loaded(["Emma"])
        books.load()
        #expect(books == .loading(previous: ["Emma"]))
        books.load()
        #expect(books.value == ["Emma"])
        books.fail(.offline)
        #expect(books == .failed(.offline, previous: ["Emma"]))
        books.load()
        #expect(books == .loading(previous: ["Emma"]))
    }

    @Test func `one of idle, loading, loaded and failed is true at a time`() {
        for books in Self.all {
            let answers = [books.isIdle, books.isLoading, books.isLoaded, books.failure != nil]
            #expect(answers.count { $0 } == 1, "\(books)")
        }
        #expect(Books.failed(.refused(status: 503)).failure == .refused(status: 503))
    }

    @Test func `changing the value leaves the case as it is`() {
        for var books in Self.all where books.value != nil {
            let before = books
            books.value?.append("Persuasion")
            #expect(books == before.map { $0 + ["Persuasion"] })
        }
        var first = Books.loading()
        first.value = ["Emma"]
        #expect(first == .loading(previous: ["Emma"]))
        var failed = Books.failed(.offline, previous: ["Emma"])
        failed.value = nil
        #expect(failed == .failed(.offline))
    }

    @Test func `assigning a value to idle makes it loaded, and nil makes that idle again`() {
        var books = Books.idle
        books.value?.append("Emma")
        #expect(books == .idle)
        books.value = ["Emma"]
        #expect(books == .loaded(["Emma"]))
        books.value = nil
        #expect(books == .idle)
    }

    @Test func `changing the value in place copies nothing`() {
        func address(_ books: Books) -> UnsafeRawPointer? {
            books.value?.withUnsafeBytes { $0.baseAddress }
        }
        for var books in Self.all where books.value != nil {
            books.value?.reserveCapacity(100)
            let before = address(books)
            for number in 0..<50 {
                books.value?.append("\(number)")
                #expect(before != nil && address(books) == before)
            }
        }
    }

    @Test func `map gives another value to the same case`() {
        let counts = Self.all.map { $0.map(\.count) }
        #expect(
            counts == [
                .idle, .loading(), .loading(previous: 1), .loaded(1), .failed(.offline),
                .failed(.refused(status: 503), previous: 1),
            ])
        #expect(throws: Trouble.offline) {
            try Books.loaded([]).map { (_: [String]) throws(Trouble) in throw Trouble.offline }
        }
    }

    @Test func `an effect loads while the state says so, and keeps what was there when it fails`()
        async throws
    {
        struct Shelf: Equatable, Sendable { var books = Books.idle }
        enum ShelfAction: Action { case refresh, loaded([String]), failed(Trouble) }
        let answers = Guarded([Result.success(["Emma"]), .failure(Trouble.offline)])
        let store = Store(Shelf()) {
            Reduce { (shelf: inout Shelf, action: ShelfAction) in
                switch action {
                case .refresh: shelf.books.load()
                case .loaded(let books): shelf.books = .loaded(books)
                case .failed(let trouble): shelf.books.fail(trouble)
                }
            }
            While(\Shelf.books.isLoading) { _, context in
                let answer = answers.withValue { $0.removeFirst() }
                context.dispatch(ShelfAction.loaded(try answer.get()))
            } catching: { _, error, context in
                context.dispatch(ShelfAction.failed(error as? Trouble ?? .offline))
            }
        }
        store.dispatch(ShelfAction.refresh)
        _ = try await store.wait { $0.books == .loaded(["Emma"]) }
        store.dispatch(ShelfAction.refresh)
        _ = try await store.wait { $0.books == .failed(.offline, previous: ["Emma"]) }
        await store.shutdown()
    }
}
