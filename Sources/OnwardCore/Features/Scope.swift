// SPDX-License-Identifier: MIT

public import EntityTables

/// Places a feature at a slice of a larger state.
///
/// Three kinds of slice can hold a feature: a property, an optional property (while it is nil, the
/// feature handles nothing) and each row of a collection. Every instance has an ``Address``, made
/// of the names of its scopes, so scopes of two slices must not have the same name.
public struct Scope<State: Sendable>: Part {
    private let enter: @Sendable (inout Registration<State>) -> Void

    // The overloads are shaped by what the compiler says about mistakes, see
    // scripts/check-messages. A feature is an existential: braces with a mistake inside would count
    // as one that is not a part. A whole slice is disfavoured: so an optional one is unwrapped
    // wherever possible, and the message about a wrong feature names both types.

    /// A feature at a property.
    ///
    /// - Parameters:
    ///   - path: The slice. A stored property costs nothing per action; a computed one is read and
    ///     written back.
    ///   - name: The step of the address; by default the text of the key path, which only
    ///     stored properties have.
    ///   - feature: What handles actions there.
    @_disfavoredOverload
    public init<Slice: Sendable>(
        _ path: any WritableKeyPath<State, Slice> & Sendable, name: String? = nil,
        _ feature: any Part<Slice>
    ) {
        enter = { registration in
            let lens = registration.lens(at: path, named: name)
            registration.enter(lens, at: path, with: feature)
        }
    }

    /// A feature at an optional property; while that is nil, its actions reach no feature.
    ///
    /// So it can be placed at a case of an enum, exposed as a computed optional property:
    ///
    /// ```swift
    /// enum Phase: Sendable {
    ///     case lobby(Lobby), round(Round)
    ///
    ///     var lobby: Lobby? {
    ///         get { if case .lobby(let lobby) = self { lobby } else { nil } }
    ///         set { if let newValue { self = .lobby(newValue) } }
    ///     }
    /// }
    ///
    /// let phase = Feature<Phase> { Scope(\.lobby, name: "lobby", lobby) }
    /// ```
    ///
    /// A computed property is written only while it has a value, and is never set to nil.
    public init<Slice: Sendable>(
        _ path: any WritableKeyPath<State, Slice?> & Sendable, name: String? = nil,
        _ feature: any Part<Slice>
    ) {
        enter = { registration in
            let lens = registration.lens(unwrapping: path, named: name)
            registration.enter(lens, at: path, with: feature)
        }
    }

    /// A feature at each row of a collection.
    ///
    /// An action addressed to a row reaches that row; one addressed to the collection, or without
    /// an address, reaches every row, in order.
    public init<Rows: RowCollection & Sendable>(
        each path: any WritableKeyPath<State, Rows> & Sendable, name: String? = nil,
        _ feature: any Part<Rows.Element>
    ) where Rows.Element: Sendable, Rows.Element.ID: Sendable {
        enter = { registration in
            let lens = registration.lens(at: path, named: name).rows(of: Rows.self)
            registration.enter(lens, at: path, with: feature)
        }
    }

    // The parts have a label, which braces leave out: otherwise the compiler would take them into
    // account for features in parentheses, too, and report mistakes inside these as mistakes of the
    // call.

    /// Parts at a property, which make up a feature there.
    ///
    /// ```swift
    /// Scope(\.counter) {
    ///     Reduce { (counter, action: CounterAction) in counter.count += 1 }
    /// }
    /// ```
    @_disfavoredOverload
    public init<Slice: Sendable>(
        _ path: any WritableKeyPath<State, Slice> & Sendable, name: String? = nil,
        @FeatureBuilder<Slice> parts: () -> [any Part<Slice>]
    ) {
        self.init(path, name: name, Feature(parts))
    }

    /// Parts at an optional property; while that is nil, its actions reach no feature.
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

    /// A feature of rows at a collection of rows: write `each:`.
    ///
    /// A mistake inside a feature that is written out in parentheses is reported as one of this
    /// call. In braces, or with a feature that has a name, it is reported where it is.
    @available(*, unavailable, message: "this is a collection of rows: write Scope(each: …)")
    @_disfavoredOverload
    public init<Rows: RowCollection & Sendable>(
        _ path: any WritableKeyPath<State, Rows> & Sendable, name: String? = nil,
        _ feature: any Part<Rows.Element>
    ) where Rows.Element: Sendable, Rows.Element.ID: Sendable {
        self.init(each: path, name: name, feature)
    }

    /// A feature at a slice that has no rows: leave out `each:`.
    @available(*, unavailable, message: "this is no collection of rows: leave out each:")
    @_disfavoredOverload
    public init<Slice: Sendable>(
        each path: any WritableKeyPath<State, Slice> & Sendable, name: String? = nil,
        _ feature: any Part<Slice>
    ) {
        self.init(path, name: name, feature)
    }

    /// Parts at a slice that has no rows: leave out `each:`.
    @available(*, unavailable, message: "this is no collection of rows: leave out each:")
    @_disfavoredOverload
    public init<Slice: Sendable>(
        each path: any WritableKeyPath<State, Slice> & Sendable, name: String? = nil,
        @FeatureBuilder<Slice> parts: () -> [any Part<Slice>]
    ) {
        self.init(path, name: name, Feature(parts))
    }

    /// Registers the feature at the slice.
    public func register(in registration: inout Registration<State>) {
        enter(&registration)
    }
}
