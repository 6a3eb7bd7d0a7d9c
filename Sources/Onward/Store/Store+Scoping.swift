// SPDX-License-Identifier: MIT

extension Store {
    /// A store of a slice: reads that slice, and dispatches to the feature instance there alone.
    ///
    /// It shares everything with this store and copies nothing.
    ///
    /// - Parameters:
    ///   - path: The slice, as in the ``Scope`` that placed the feature. For an optional slice the
    ///     state is an optional; while it is nil, dispatches are refused as absent.
    ///   - name: The step of the address, when the scope was given one.
    /// - Returns: The store of the slice.
    public func scoped<Slice: Sendable>(
        to path: any WritableKeyPath<State, Slice> & Sendable, name: String? = nil
    ) -> Store<Slice> {
        Store<Slice>(
            engine: engine, projection: projection.appending(path),
            address: address.appending(.slice(step(path, name))), lifetime: lifetime)
    }

    /// A store of one row of a collection, found by its id; the state is nil while there is none.
    public func scoped<Rows: RowCollection & Sendable>(
        to path: any WritableKeyPath<State, Rows> & Sendable, id: Rows.Element.ID,
        name: String? = nil
    ) -> Store<Rows.Element?> where Rows.Element: Sendable, Rows.Element.ID: Sendable {
        Store<Rows.Element?>(
            engine: engine,
            projection: projection.appending(path).selecting { $0.row(id: id) },
            address: address.appending(.slice(step(path, name))).appending(.row(RowKey(id))),
            lifetime: lifetime)
    }

    private func step(_ path: AnyKeyPath, _ name: String?) -> String {
        let draft = ProgramDraft()
        let step = draft.name(of: path, given: name)
        for mistake in draft.misuses { engine.options.misuse(mistake) }
        return step
    }
}
