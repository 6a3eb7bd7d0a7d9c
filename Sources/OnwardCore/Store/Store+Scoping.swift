// SPDX-License-Identifier: MIT

public import EntityTables

extension Store {
    /// A store of a slice: reads that slice, and dispatches to the feature instance there alone.
    ///
    /// It shares everything with this store and copies nothing.
    ///
    /// - Parameters:
    ///   - path: The slice, as in the ``Scope`` that placed the feature.
    ///   - name: The step of the address, when the scope was given one.
    /// - Returns: The store of the slice.
    public func scoped<Slice: Sendable>(
        to path: any WritableKeyPath<State, Slice> & Sendable, name: String? = nil
    ) -> Store<Slice> {
        child(
            projection.appending(path), at: [.slice(step(path, name))], presence,
            row: part { $0[keyPath: path] })
    }

    /// A store of an optional slice; its state is nil while there is none.
    ///
    /// Meanwhile dispatches are refused as absent. Subscribers hear nil once, and the value again
    /// when there is one; sequences of values end when the slice goes.
    public func scoped<Slice: Sendable>(
        to path: any WritableKeyPath<State, Slice?> & Sendable, name: String? = nil
    ) -> Store<Slice?> {
        optional(
            projection.appending(path), at: [.slice(step(path, name))],
            row: part { $0[keyPath: path] })
    }

    /// A store of one row of a collection, found by its id; its state is nil while there is none.
    ///
    /// Meanwhile dispatches are refused as absent. Subscribers hear nil once, and the row again when
    /// it comes back; sequences of values end when the row goes.
    public func scoped<Rows: RowCollection & Sendable>(
        to path: any WritableKeyPath<State, Rows> & Sendable, id: Rows.Element.ID,
        name: String? = nil
    ) -> Store<Rows.Element?> where Rows.Element: Sendable, Rows.Element.ID: Sendable {
        optional(
            row(path, id), at: [.slice(step(path, name)), .row(RowKey(id))],
            row: part { $0[keyPath: path].row(id: id) })
    }

    /// A store of one row of a table, found by its id; its state is nil while there is none.
    ///
    /// - Complexity: as for any row, but a commit costs its subscribers only what it changed in the
    ///   table, whatever the number of rows and of their stores.
    public func scoped<Row: Identifiable & Equatable & Sendable>(
        to path: any WritableKeyPath<State, EntityTable<Row>> & Sendable, id: Row.ID,
        name: String? = nil
    ) -> Store<Row?> where Row.ID: Sendable {
        optional(
            row(path, id), at: [.slice(step(path, name)), .row(RowKey(id))],
            row: source(path, id))
    }

    // MARK: What is there

    /// A store of what an optional slice holds, for a view that is shown while there is something;
    /// nil when there is nothing now.
    ///
    /// When the slice goes, the store goes on showing the value that was read through it last, so
    /// that a view may vanish in its own time. Its dispatches are refused as absent, its subscribers
    /// hear nothing, its sequences end. When the slice comes back, the store shows it.
    ///
    /// - Complexity: O(1). The value that was read last is held, so a reducer that changes an array in
    ///   it copies that. Each subscriber reads for itself, as each may have seen another value last.
    public func scoped<Slice: Sendable>(
        unwrapping path: any WritableKeyPath<State, Slice?> & Sendable, name: String? = nil
    ) -> Store<Slice>? {
        unwrapped(
            projection.appending(path), at: [.slice(step(path, name))],
            row: part { $0[keyPath: path] })
    }

    /// A store of one row of a collection, for a view that is shown while there is such a row; nil
    /// when there is none now.
    ///
    /// It ends as ``scoped(unwrapping:name:)`` says.
    public func scoped<Rows: RowCollection & Sendable>(
        unwrapping path: any WritableKeyPath<State, Rows> & Sendable, id: Rows.Element.ID,
        name: String? = nil
    ) -> Store<Rows.Element>? where Rows.Element: Sendable, Rows.Element.ID: Sendable {
        unwrapped(
            row(path, id), at: [.slice(step(path, name)), .row(RowKey(id))],
            row: part { $0[keyPath: path].row(id: id) })
    }

    /// A store of one row of a table, for a view that is shown while there is such a row; nil when
    /// there is none now.
    ///
    /// It ends as ``scoped(unwrapping:name:)`` says.
    ///
    /// - Complexity: a commit costs its subscribers only what it changed in the table, whatever the
    ///   number of rows and of their stores.
    public func scoped<Row: Identifiable & Equatable & Sendable>(
        unwrapping path: any WritableKeyPath<State, EntityTable<Row>> & Sendable, id: Row.ID,
        name: String? = nil
    ) -> Store<Row>? where Row.ID: Sendable {
        unwrapped(
            row(path, id), at: [.slice(step(path, name)), .row(RowKey(id))],
            row: source(path, id))
    }

    // MARK: Making them

    /// This store, which does not keep itself going.
    var borrowed: Store {
        Store(
            engine: engine, projection: projection, address: address, lifetime: nil,
            presence: presence, row: row)
    }

    private func row<Rows: RowCollection & Sendable>(
        _ path: any WritableKeyPath<State, Rows> & Sendable, _ id: Rows.Element.ID
    ) -> Projection<Rows.Element?> where Rows.Element.ID: Sendable {
        projection.appending(path)
            .selecting(as: projection.source(of: path, id: id)) { $0.row(id: id) }
    }

    /// What tells of a part of this store's row; nil where the store is of no row.
    private func part<Part>(
        _ select: @escaping @Sendable (State) -> Part
    ) -> RowSource<Part>? {
        row.map { RowSource(of: $0, select) }
    }

    /// What tells of a row of a table, which may lie in a row itself.
    private func source<Row: Identifiable & Equatable & Sendable>(
        _ path: any WritableKeyPath<State, EntityTable<Row>> & Sendable, _ id: Row.ID
    ) -> RowSource<Row?> where Row.ID: Sendable {
        part { $0[keyPath: path][id: id] } ?? RowSource(of: borrowed, path, id: id)
    }

    private func child<Slice>(
        _ slice: Projection<Slice>, at steps: [Address.Component], _ presence: Presence?,
        row: RowSource<Slice>?
    ) -> Store<Slice> {
        Store<Slice>(
            engine: engine, projection: slice, address: Address(address.components + steps),
            lifetime: lifetime, presence: presence, row: row)
    }

    private func optional<Slice>(
        _ slice: Projection<Slice?>, at steps: [Address.Component], row: RowSource<Slice?>?
    ) -> Store<Slice?> {
        child(slice, at: steps, Presence(of: slice, isUnwrapped: false, row: row), row: row)
    }

    private func unwrapped<Slice>(
        _ slice: Projection<Slice?>, at steps: [Address.Component], row: RowSource<Slice?>?
    ) -> Store<Slice>? {
        guard let last = engine.read(slice).map(Remembered.init) else { return nil }
        return child(
            slice.unwrapped(last), at: steps, Presence(of: slice, isUnwrapped: true, row: row),
            row: row.map { RowSource(unwrapping: $0, last) })
    }

    private func step(_ path: AnyKeyPath, _ name: String?) -> String {
        let draft = ProgramDraft()
        let step = draft.name(of: path, given: name)
        for mistake in draft.misuses { engine.options.misuse(mistake) }
        return step
    }
}
