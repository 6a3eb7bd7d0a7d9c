// SPDX-License-Identifier: MIT

/// Places a feature at a slice of a larger state.
///
/// Three kinds of slice can hold a feature: a property, an optional property (while it is nil, the
/// feature handles nothing) and each row of a collection. Every instance has an ``Address``, made
/// of the names of its scopes, so scopes of two slices may not have one name.
public struct Scope<State: Sendable>: Part {
    private let enter: @Sendable (inout Registration<State>) -> Void

    /// A feature at a property.
    ///
    /// - Parameters:
    ///   - path: The slice. A stored property costs nothing per action; a computed one is read and
    ///     written back.
    ///   - name: The step of the address; by default the text of the key path, which only
    ///     stored properties have.
    ///   - feature: What handles actions there.
    public init<Slice: Sendable>(
        _ path: any WritableKeyPath<State, Slice> & Sendable, name: String? = nil,
        _ feature: some Part<Slice>
    ) {
        enter = { registration in
            let place = registration.place(at: path, named: name)
            registration.enter(place, at: path, with: feature)
        }
    }

    /// A feature at an optional property; while that is nil, its actions reach nobody.
    public init<Slice: Sendable>(
        _ path: any WritableKeyPath<State, Slice?> & Sendable, name: String? = nil,
        _ feature: some Part<Slice>
    ) {
        enter = { registration in
            let place = registration.place(at: path, named: name).unwrapped(Slice.self)
            registration.enter(place, at: path, with: feature)
        }
    }

    /// A feature at each row of a collection.
    ///
    /// An action addressed to a row reaches that row; one addressed to the collection or to no one
    /// reaches every row, in order.
    public init<Rows: RowCollection & Sendable>(
        each path: any WritableKeyPath<State, Rows> & Sendable, name: String? = nil,
        _ feature: some Part<Rows.Element>
    ) where Rows.Element: Sendable, Rows.Element.ID: Sendable {
        enter = { registration in
            let place = registration.place(at: path, named: name).rows(of: Rows.self)
            registration.enter(place, at: path, with: feature)
        }
    }

    // The parts have a label, which braces leave out, as the compiler would take them into account for
    // features in parentheses otherwise, and report any mistake inside these as one of the call.

    /// Parts at a property, which make up a feature there.
    ///
    /// ```swift
    /// Scope(\.counter) {
    ///     Reduce { (counter, action: CounterAction) in counter.count += 1 }
    /// }
    /// ```
    public init<Slice: Sendable>(
        _ path: any WritableKeyPath<State, Slice> & Sendable, name: String? = nil,
        @FeatureBuilder<Slice> parts: () -> [any Part<Slice>]
    ) {
        self.init(path, name: name, Feature(parts))
    }

    /// Parts at an optional property; while that is nil, its actions reach nobody.
    public init<Slice: Sendable>(
        _ path: any WritableKeyPath<State, Slice?> & Sendable, name: String? = nil,
        @FeatureBuilder<Slice> parts: () -> [any Part<Slice>]
    ) {
        self.init(path, name: name, Feature(parts))
    }

    /// Parts at each row of a collection.
    public init<Rows: RowCollection & Sendable>(
        each path: any WritableKeyPath<State, Rows> & Sendable, name: String? = nil,
        @FeatureBuilder<Rows.Element> parts: () -> [any Part<Rows.Element>]
    ) where Rows.Element: Sendable, Rows.Element.ID: Sendable {
        self.init(each: path, name: name, Feature(parts))
    }

    /// Registers the feature at the slice.
    public func register(in registration: inout Registration<State>) {
        enter(&registration)
    }
}
