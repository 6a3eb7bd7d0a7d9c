// SPDX-License-Identifier: MIT

/// What a ``Part`` writes into: the features of one store, seen from one place in its state.
public struct Registration<State: Sendable> {
    package let draft: ProgramDraft
    package let place: Place

    init(draft: ProgramDraft, place: Place) {
        self.draft = draft
        self.place = place
    }

    /// Adds a reducer for one type of action.
    public mutating func reduce<A: Action>(
        _ type: A.Type, with body: @escaping @Sendable (inout State, A) -> Void
    ) {
        draft.add(TypedHandler(place: place, order: draft.nextOrder(), body: body), for: type)
    }

    /// Adds a reducer for every type of action, even for those that no feature registered.
    public mutating func reduceAny(
        with body: @escaping @Sendable (inout State, any Action) -> Void
    ) {
        draft.add(AnyHandler(place: place, order: draft.nextOrder(), body: body))
    }

    /// Adds an answer to the actions of a child, which lies inside this place.
    mutating func intercept<A: Action>(
        _ type: A.Type, at child: Place,
        with body: @escaping @Sendable (inout State, A, Address) -> Void
    ) {
        draft.add(TypedInterception(of: child, at: place, body: body), for: type)
    }

    /// Adds a middleware behind those that were added before.
    public mutating func use(_ middleware: some Middleware<State>) {
        draft.add(
            place.finder == nil
                ? TypedMiddleware(middleware, at: place)
                : TypedMiddleware(SearchingMiddleware(middleware: middleware), at: place))
    }

    /// The place of the slice at a key path, whose step has the given name or that of the property.
    func place<Slice: Sendable>(
        at path: any WritableKeyPath<State, Slice> & Sendable, named name: String?
    ) -> Place {
        place.slice(path, named: draft.name(of: path, given: name))
    }

    /// The place of the value in the optional slice at a key path, named like any slice.
    func place<Slice: Sendable>(
        unwrapping path: any WritableKeyPath<State, Slice?> & Sendable, named name: String?
    ) -> Place {
        place.slice(unwrapping: path, named: draft.name(of: path, given: name))
    }

    /// Has `part` register for a slice that lies at a key path.
    mutating func enter<Slice: Sendable>(
        _ place: Place, at path: AnyKeyPath, with part: some Part<Slice>
    ) {
        draft.noteScope(place, at: path)
        var inner = Registration<Slice>(draft: draft, place: place)
        part.register(in: &inner)
    }
}
