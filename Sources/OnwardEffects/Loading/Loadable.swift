// SPDX-License-Identifier: MIT

/// A value of the state that has to be loaded: not yet, being loaded, loaded, or failed with a reason.
///
/// ```swift
/// struct Shelf: Equatable, Sendable { var books = Loadable<[Book], Problem>.idle }
///
/// shelf.books.load()              // .loading(previous: nil)
/// shelf.books = .loaded(books)
/// shelf.books.load()              // .loading(previous: books)
/// shelf.books.fail(.timedOut)     // .failed(.timedOut, previous: books)
/// ```
///
/// What was loaded before is kept while it is loaded anew, and when that fails: ``value`` is what a
/// screen can show meanwhile. The work that loads it lives while the state says so: see <doc:Effects>.
public enum Loadable<Value, Failure> {
    /// It has not been asked for.
    case idle
    /// It is being loaded; there may be a value from before.
    case loading(previous: Value? = nil)
    /// It is there.
    case loaded(Value)
    /// It couldn't be loaded, for a reason; there may be a value from before.
    case failed(Failure, previous: Value? = nil)
}

extension Loadable {
    /// The loaded value; while another is being loaded, or couldn't be, the previous one.
    ///
    /// A new one leaves the case as it is, except that what was idle becomes loaded. Without a value
    /// what was loaded becomes idle. A change in place, such as `books.value?.append(book)`, copies
    /// nothing.
    public var value: Value? {
        get {
            switch self {
            case .idle: nil
            case .loading(let value), .failed(_, let value): value
            case .loaded(let value): value
            }
        }
        _modify {
            var value = value
            let stage = map { _ in () }
            // The value has one owner while it is changed, so that this copies nothing.
            self = .idle
            defer {
                self =
                    switch stage {
                    case .loading: .loading(previous: value)
                    case .failed(let failure, _): .failed(failure, previous: value)
                    case .idle, .loaded: value.map(Self.loaded) ?? .idle
                    }
            }
            yield &value
        }
    }

    /// Why it couldn't be loaded; nil in every other case.
    public var failure: Failure? { if case .failed(let failure, _) = self { failure } else { nil } }

    /// Whether it has not been asked for.
    public var isIdle: Bool { if case .idle = self { true } else { false } }

    /// Whether it is being loaded.
    public var isLoading: Bool { if case .loading = self { true } else { false } }

    /// Whether it is there, and neither being loaded again nor failed since.
    public var isLoaded: Bool { if case .loaded = self { true } else { false } }

    /// Asks for it, or asks again; keeps the value.
    public mutating func load() { self = .loading(previous: value) }

    /// Says why it couldn't be loaded; keeps the value.
    public mutating func fail(_ failure: Failure) { self = .failed(failure, previous: value) }

    /// The same case with another value, also in place of a previous one.
    ///
    /// - Parameter transform: Makes the other value. Not called where there is none.
    /// - Returns: The same case.
    /// - Throws: What `transform` throws.
    public func map<New, Problem: Error>(
        _ transform: (Value) throws(Problem) -> New
    ) throws(Problem) -> Loadable<New, Failure> {
        switch self {
        case .idle: .idle
        case .loading(let value): .loading(previous: try value.map(transform))
        case .loaded(let value): .loaded(try transform(value))
        case .failed(let failure, let value):
            .failed(failure, previous: try value.map(transform))
        }
    }
}

extension Loadable: Sendable where Value: Sendable, Failure: Sendable {}
extension Loadable: Equatable where Value: Equatable, Failure: Equatable {}
extension Loadable: Hashable where Value: Hashable, Failure: Hashable {}
extension Loadable: Encodable where Value: Encodable, Failure: Encodable {}
extension Loadable: Decodable where Value: Decodable, Failure: Decodable {}
