// SPDX-License-Identifier: MIT

/// What a ``Part`` writes into: the features of one store, seen from one place in its state.
public struct Registration<State: Sendable> {
    package let compiler: FeatureCompiler
    package let lens: SliceLens

    init(compiler: FeatureCompiler, lens: SliceLens) {
        self.compiler = compiler
        self.lens = lens
    }

    /// Adds a part after those added before: a reducer, a middleware, an ``OnAction``, another
    /// feature.
    public mutating func add(_ part: some Part<State>) { part.register(in: &self) }

    /// Adds a reducer for one type of action.
    package mutating func reduce<A: Action>(
        _ type: A.Type, with body: @escaping @Sendable (inout State, A) -> Void
    ) {
        compiler.add(TypedHandler(lens: lens, order: compiler.nextOrder(), body: body), for: type)
    }

    /// Adds a reducer for one type of action that asks for its stamp.
    mutating func reduce<A: Action>(
        _ type: A.Type, stamped body: @escaping @Sendable (inout State, A, Stamp) -> Void
    ) {
        compiler.add(
            StampedHandler(lens: lens, order: compiler.nextOrder(), body: body), for: type)
    }

    /// Adds what runs before and after the reducers of a type of action.
    ///
    /// The first closure runs before the reducers registered from now on, the second one after all
    /// of them; both also run if the action is addressed to a child or a row inside this place,
    /// which by itself does not make the action handled there.
    package mutating func surround<A: Action>(
        _ type: A.Type, before: @escaping @Sendable (inout State, A) -> Void,
        after: @escaping @Sendable (inout State, A) -> Void
    ) {
        for (turn, body) in [(Handler.Turn.before, before), (.after, after)] {
            let order = compiler.nextOrder()
            compiler.add(
                TypedHandler(lens: lens, order: order, turn: turn, body: body), for: type)
        }
    }

    /// Adds what runs before and after all reducers of a type of action at this place, wherever
    /// they are listed.
    mutating func enclose<A: Action>(
        _ type: A.Type, before: @escaping @Sendable (inout State, A) -> Void,
        after: @escaping @Sendable (inout State, A) -> Void
    ) {
        compiler.add(TypedHandler(lens: lens, order: 0, body: before), for: type)
        compiler.add(
            TypedHandler(lens: lens, order: compiler.nextOrder(), turn: .after, body: after),
            for: type)
    }

    /// Adds a check of the actions that are meant for `subject`, which lies at or inside this place.
    mutating func check<A: Action, Reason: RefusalReason>(
        _ type: A.Type, _ reason: Reason.Type, of subject: SliceLens, includesChildren: Bool,
        with body: @escaping @Sendable (State, A, Address) throws(Reason) -> Void
    ) {
        compiler.add(
            TypedChecker(
                at: lens, of: subject, includesChildren: includesChildren, body: body),
            for: type, reason: reason)
    }

    /// Adds a reducer for every type of action, even for those that no feature registered.
    mutating func reduceAny(
        with body: @escaping @Sendable (inout State, any Action) -> Void
    ) {
        compiler.add(AnyHandler(lens: lens, order: compiler.nextOrder(), body: body))
    }

    /// Adds a reducer for the actions of a child, which lies inside this lens.
    mutating func reduce<A: Action>(
        _ type: A.Type, ofChild child: SliceLens, asksForStamp: Bool = false,
        with body: @escaping @Sendable (inout State, A, Address, Stamp?) -> Void
    ) {
        compiler.add(
            TypedChildReducer(of: child, at: lens, asksForStamp: asksForStamp, body: body),
            for: type)
    }

    /// Adds a change of the state that a store begins with, made before anyone sees it.
    ///
    /// It runs once, when the store is made, for each instance that is there; not when features are
    /// replaced.
    package mutating func begin(with body: @escaping @Sendable (inout State) -> Void) {
        compiler.add(Beginning(at: lens, body))
    }

    /// Adds a middleware after those added before.
    mutating func use(_ middleware: some Middleware<State>) {
        compiler.add(
            lens.finder == nil
                ? TypedMiddleware(middleware, at: lens)
                : TypedMiddleware(SearchingMiddleware(middleware: middleware), at: lens))
    }

    /// The lens of the slice at a key path, whose step has the given name or that of the property.
    func lens<Slice: Sendable>(
        at path: any WritableKeyPath<State, Slice> & Sendable, named name: String?
    ) -> SliceLens {
        lens.slice(path, named: compiler.name(of: path, given: name))
    }

    /// The place of the value in the optional slice at a key path, named like any slice.
    func lens<Slice: Sendable>(
        unwrapping path: any WritableKeyPath<State, Slice?> & Sendable, named name: String?
    ) -> SliceLens {
        lens.slice(unwrapping: path, named: compiler.name(of: path, given: name))
    }

    /// Has `part` register for a slice that lies at a key path.
    mutating func enter<Slice: Sendable>(
        _ lens: SliceLens, at path: AnyKeyPath, with part: some Part<Slice>
    ) {
        compiler.noteScope(lens, at: path)
        var inner = Registration<Slice>(compiler: compiler, lens: lens)
        part.register(in: &inner)
    }
}
