// SPDX-License-Identifier: MIT

/// A value in the state that has to be loaded: idle, loading, loaded, or failed with a reason.
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
/// A previous value is kept while a new one is being loaded, and if that fails: ``value`` is what a
/// screen can show meanwhile. The work that loads it lives as long as the state says so: see
/// <doc:Effects>.
public enum Loadable<Value, Failure> {
    /// The value has not been requested.
    case idle
    /// The value is being loaded; there may be a previous one.
    case loading(previous: Value? = nil)
    /// The value is loaded.
    case loaded(Value)
    /// The value couldn't be loaded, for a reason; there may be a previous one.
    case failed(Failure, previous: Value? = nil)
}

extension Loadable {
    /// The loaded value, or the previous one while another is being loaded or couldn't be.
    ///
    /// Setting a value keeps the case, except that idle becomes loaded. Setting nil turns loaded
    /// into idle. Changing the value in place, as in `books.value?.append(book)`, copies
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
            // The value has a single owner while it is changed, so nothing is copied.
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

    /// Why the value couldn't be loaded; nil in every other case.
    public var failure: Failure? { if case .failed(let failure, _) = self { failure } else { nil } }

    /// Whether the value has not been requested.
    public var isIdle: Bool { if case .idle = self { true } else { false } }

    /// Whether the value is being loaded.
    public var isLoading: Bool { if case .loading = self { true } else { false } }

    /// Whether the value is loaded, with neither a reload nor a failure since.
    public var isLoaded: Bool { if case .loaded = self { true } else { false } }

    /// Starts loading, or starts again; keeps the value.
    public mutating func load() { self = .loading(previous: value) }

    /// Records why loading failed; keeps the value.
    public mutating func fail(_ failure: Failure) { self = .failed(failure, previous: value) }

    /// Returns the same case with its current or previous value transformed.
    ///
    /// - Parameter transform: Makes the new value. Not called if there is no value.
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
