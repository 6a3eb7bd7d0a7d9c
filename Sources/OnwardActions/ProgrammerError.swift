// SPDX-License-Identifier: MIT

/// A programmer error in the use of a store: what happened, with which value, why it is wrong and
/// how to fix it.
public struct ProgrammerError: Sendable, Hashable, CustomStringConvertible {
    /// A kind of programmer error: a rule that was broken.
    ///
    /// Layers above the core have kinds of their own.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The name of the kind, as in source code.
        public let description: String

        package init(_ name: String) {
            description = name
        }

        /// An action was dispatched from inside a reducer.
        public static var dispatchInsideReducer: Kind { Kind("dispatchInsideReducer") }

        /// The store was read or subscribed to from inside a reducer.
        public static var readInsideReducer: Kind { Kind("readInsideReducer") }

        /// No reducer handles an action.
        public static var unhandledAction: Kind { Kind("unhandledAction") }

        /// Two action types have the same name.
        public static var nameClash: Kind { Kind("nameClash") }

        /// Two fields of an action have the same name in journals and on the wire.
        public static var fieldClash: Kind { Kind("fieldClash") }

        /// A chain of subscribers that dispatch did not end.
        public static var subscriberLoop: Kind { Kind("subscriberLoop") }

        /// A chain of middlewares that dispatch did not end.
        public static var middlewareLoop: Kind { Kind("middlewareLoop") }

        /// Two observers of a store waited for each other.
        public static var observersWaiting: Kind { Kind("observersWaiting") }

        /// A scope has no name by which its instances could be addressed.
        public static var unnamedScope: Kind { Kind("unnamedScope") }

        /// Scopes of two slices have the same name.
        public static var repeatedScope: Kind { Kind("repeatedScope") }

        /// A feature is listed twice in one place.
        public static var repeatedFeature: Kind { Kind("repeatedFeature") }

        /// An action for a child bypassed a reducer that the parent has for the action's type.
        ///
        /// The action was accepted, and the bypass may be intended.
        public static var passedReducer: Kind { Kind("passedReducer") }

        /// A `Reduce(child:)` is placed where it handles nothing.
        public static var misplacedChildReducer: Kind { Kind("misplacedChildReducer") }

        /// The log of a store is to be kept, and could not name its rows.
        public static var unrecordableRows: Kind { Kind("unrecordableRows") }

        /// A presented child was dismissed, and its property did not become nil.
        public static var ignoredDismissal: Kind { Kind("ignoredDismissal") }
    }

    /// Which rule was broken.
    public let kind: Kind
    /// The full text: what, which value, why, and how to fix it.
    public let description: String

    package init(kind: Kind, description: String) {
        self.kind = kind
        self.description = description
    }
}

extension ProgrammerError {
    package static func dispatchInsideReducer(_ action: String, _ origin: ActionOrigin)
        -> ProgrammerError
    {
        ProgrammerError(
            kind: .dispatchInsideReducer,
            description: """
                \(action) was dispatched from inside a reducer, at \(origin). A reducer is a pure \
                function: it runs under the store's lock and its only result is the state it \
                leaves. The action was refused. To fix this, change the state directly in the \
                reducer, or dispatch from an effect or a middleware that reacts to the first action.
                """)
    }

    /// What must not be done to a store inside one of its reducers, besides dispatching.
    package enum UseInsideReducer: String, Sendable {
        case read
        case batch = "asked for a batch"
        case subscribe = "subscribed to"
        case attach = "given an observer or a gate"
        case replaceFeatures = "given other features"
    }

    package static func readInsideReducer(
        _ state: String, _ use: UseInsideReducer = .read
    ) -> ProgrammerError {
        ProgrammerError(
            kind: .readInsideReducer,
            description: """
                The store of \(state) was \(use.rawValue) from inside one of its reducers. The state \
                is being changed at that moment, so there is no whole value to read. To fix this, use the \
                `inout` state that the reducer was given; if the reducer needs another slice, \
                register it in a feature of the state that holds both. What an object's `deinit` \
                does while a reducer replaces it counts as done by the reducer: let a task do it.
                """)
    }

    package static func unhandledAction(
        _ action: String, address: Address, places: [String], known: [String],
        _ origin: ActionOrigin
    ) -> ProgrammerError {
        let place = address == .root ? "" : " addressed to \"\(address)\""
        guard places.isEmpty else {
            let places = places.map { $0.isEmpty ? "its root" : "\"\($0)\"" }
            return ProgrammerError(
                kind: .unhandledAction,
                description: """
                    \(action)\(place) was dispatched at \(origin), but no feature there handles it, so \
                    it changes nothing. Actions of its type are handled at: \
                    \(places.joined(separator: ", ")). To fix this, dispatch it through the store that \
                    is scoped to one of these, or scope the feature that handles it into this one.
                    """)
        }
        let names = known.isEmpty ? "none" : known.joined(separator: ", ")
        return ProgrammerError(
            kind: .unhandledAction,
            description: """
                \(action)\(place) was dispatched at \(origin), but no feature of the store handles \
                it, so it changes nothing. The store handles: \(names). To fix this, add a \
                `Reduce` for its type to a feature, scope the feature that has one into the store, \
                or correct the address.
                """)
    }

    package static func nameClash(_ name: String, _ first: String, _ second: String)
        -> ProgrammerError
    {
        ProgrammerError(
            kind: .nameClash,
            description: """
                Two action types claim the name "\(name)": \(first) and \(second). Journals and \
                other programs know actions by name, so a name must mean one type; it keeps \
                meaning \(first). To fix this, give one of them another `static var actionName`.
                """)
    }

    package static func reasonClash(_ name: String, _ first: String, _ second: String)
        -> ProgrammerError
    {
        ProgrammerError(
            kind: .nameClash,
            description: """
                Two types of reasons for refusing actions claim the name "\(name)": \(first) and \(second). \
                Statistics and other programs know reasons by name, so a name must mean one type; it keeps \
                meaning \(first). To fix this, give one of them another `static var reasonName`.
                """)
    }

    package static func fieldClash(_ clash: FieldClash) -> ProgrammerError {
        ProgrammerError(
            kind: .fieldClash,
            description: """
                Two fields of \(clash.action) are called "\(clash.field)". In journals and on the wire, a \
                field without a label has the name of its position, "value", "value1", "value2" …, so no \
                label may have the name of one. Until that is so, such a field is called "_0", "_1" … there, \
                so that nothing is lost, and logs that were written so are read only so. To fix this, give \
                the label "\(clash.field)" another name, or labels to all fields.
                """)
    }

    package static func subscriberLoop(limit: Int) -> (_ names: [String]) -> ProgrammerError {
        subscriberLoop("Subscribers answered dispatches with dispatches \(limit) times in a row")
    }

    package static func subscriberLoop(total: Int) -> (_ names: [String]) -> ProgrammerError {
        subscriberLoop(
            "Subscribers answered one dispatch, and each other's answers, with \(total) dispatches")
    }

    private static func subscriberLoop(_ what: String) -> (_ names: [String]) -> ProgrammerError {
        { names in
            ProgrammerError(
                kind: .subscriberLoop,
                description: """
                    \(what); the next one was refused. The loop is made of: \
                    \(names.joined(separator: ", ")). Such a chain never comes to rest. To fix this, \
                    let the subscriber dispatch only while there is something left to change, or \
                    move the rule into a reducer.
                    """)
        }
    }

    package static func middlewareLoop(limit: Int) -> (_ names: [String]) -> ProgrammerError {
        middlewareLoop("Middlewares dispatched from inside middlewares \(limit) deep")
    }

    package static func middlewareLoop(total: Int) -> (_ names: [String]) -> ProgrammerError {
        middlewareLoop(
            "Middlewares dispatched \(total) times from inside middlewares, for one dispatch")
    }

    private static func middlewareLoop(_ what: String) -> (_ names: [String]) -> ProgrammerError {
        { names in
            ProgrammerError(
                kind: .middlewareLoop,
                description: """
                    \(what); the next dispatch was refused. The loop is made of: \
                    \(names.joined(separator: ", ")). Every action passes the whole chain, also one \
                    that a middleware adds. To fix this, let the middleware ignore the actions that \
                    it dispatches itself.
                    """)
        }
    }

    package static func refusalLoop(limit: Int) -> (_ names: [String]) -> ProgrammerError {
        { names in
            ProgrammerError(
                kind: .middlewareLoop,
                description: """
                    Refused actions were answered by an `OnRefusal` with actions that were refused, up to \
                    \(limit) deep; the next one was not answered. The loop is made of: \
                    \(names.joined(separator: ", ")). To fix this, dispatch nothing there that the same check \
                    can refuse.
                    """)
        }
    }

    package static func commitGateLoop(limit: Int) -> (_ names: [String]) -> ProgrammerError {
        { names in
            ProgrammerError(
                kind: .middlewareLoop,
                description: """
                    A gate dispatched while it decided on an action, up to \(limit) deep; the next \
                    dispatch was refused. The loop is made of: \
                    \(names.joined(separator: ", ")). Every action is decided on, including one \
                    dispatched in `accepts(_:)`. To fix this, only answer there, and dispatch elsewhere.
                    """)
        }
    }

    /// How many turns of the gates an action is asked about.
    package static let turns = 1_000

    package static func endlessTurns(_ names: [String]) -> ProgrammerError {
        ProgrammerError(
            kind: .middlewareLoop,
            description: """
                The gates of a store were asked about \(names.joined(separator: ", ")) \(turns) times, and \
                after each answer one of them had installed a state or reconsidered, so that no answer counted; \
                the action was refused. To fix this, don't install or reevaluate whenever `accepts(_:)` is \
                called: only answer there, and change your mind elsewhere.
                """)
    }

    package static func observersWaiting(_ observer: String) -> ProgrammerError {
        ProgrammerError(
            kind: .observersWaiting,
            description: """
                An observer of the log made \(observer) catch up, while another thread was calling \
                \(observer), which waited in turn for an observer that this thread is calling. Both would \
                have waited for ever, so this one went on; \(observer) reads the rest after its call. To fix \
                this, let only one of the two make the other catch up, or do it outside `observe(_:)`.
                """)
    }

    package static func unnamedScope(_ path: String) -> ProgrammerError {
        ProgrammerError(
            kind: .unnamedScope,
            description: """
                The scope of \(path) has no name: the text of its key path isn't the same in each build and \
                run, as of a computed property, or of any property in a program that was built without \
                reflection metadata. Instances are addressed by name in the log and on the wire. To fix this, give \
                one: Scope(path, name: "settings", feature). Rows have names already, their ids: the \
                rows of a table or an array are Scope(each: path, feature).
                """)
    }

    package static func repeatedScope(
        _ address: String, _ first: String, _ second: String
    ) -> ProgrammerError {
        ProgrammerError(
            kind: .repeatedScope,
            description: """
                Two scopes have the address "\(address)", those of \(first) and \(second). Actions are \
                sent to instances by address, so one that is meant for either reaches both. To fix \
                this, give each its own name: Scope(path, name: "left", feature).
                """)
    }

    package static func repeatedFeature(_ address: String) -> ProgrammerError {
        let place = address.isEmpty ? "the root of the store" : "\"\(address)\""
        return ProgrammerError(
            kind: .repeatedFeature,
            description: """
                A feature is listed twice at \(place), so it handles each action twice there. To fix \
                this, list it once. Different features of one slice may stand side by side.
                """)
    }

    package static func passedReducer(
        _ action: String, _ type: String, to address: Address, _ parent: String,
        _ origin: ActionOrigin
    ) -> ProgrammerError {
        let parent = parent.isEmpty ? "the root of the store" : "\"\(parent)\""
        let reducer = address.rowID == nil ? "Reduce(child:)" : "Reduce(each:)"
        return ProgrammerError(
            kind: .passedReducer,
            description: """
                \(action) was dispatched to "\(address)" at \(origin) and handled there. The Reduce or \
                OnAction of \(type) at \(parent) did not run, and has not run before: what is addressed to a \
                child does not reach those around it. To fix this, make a Reduce there a \
                \(reducer), which runs after the child's reducers in the same commit; for an \
                OnAction have the child report with `to: .parent`, and answer to that report. If \
                the action was meant for the child alone, nothing is wrong: this is said only once, \
                and not at all where the parent has a \(reducer) of the type.
                """)
    }

    package static func childReducerWithoutScope(
        _ action: String, _ child: String, scopes: [String]
    ) -> ProgrammerError {
        let scopes = scopes.isEmpty ? "none" : scopes.map { "\"\($0)\"" }.joined(separator: ", ")
        return ProgrammerError(
            kind: .misplacedChildReducer,
            description: """
                A Reduce(child:) of \(action) is for the child at "\(child)", but no feature is scoped \
                there, so it answers nothing that is sent to a child, only what is sent to all. The \
                scopes are: \(scopes). To fix this, give it the key path of the child's Scope, and \
                the name if that has one; for rows it is Reduce(each: path), where "#" stands for \
                any row.
                """)
    }

    package static func unrecordableRows(_ rows: [(place: String, type: String)]) -> ProgrammerError
    {
        let list = rows.map { "\($0.type) of the rows at \"\($0.place)\"" }
        let types = Set(rows.map(\.type)).sorted()
        return ProgrammerError(
            kind: .unrecordableRows,
            description: """
                The log of a store is to be kept, but these ids are not Codable: \
                \(list.joined(separator: ", ")). An entry names its row by the coded form of its id; \
                without one, nobody could tell after a restart which row an action was for. To fix this, \
                declare \(types.map { "`extension \($0): Codable {}`" }.joined(separator: " and ")), or \
                give the rows other ids. Rows with such ids can be used in stores whose log isn't kept.
                """)
    }

    package static func ignoredDismissal(_ path: String) -> ProgrammerError {
        ProgrammerError(
            kind: .ignoredDismissal,
            description: """
                The child that is presented at \(path) was dismissed, but the property still holds it: its \
                setter ignores nil, so the child stays. To fix this, let the setter of the property take \
                nil and say there what is shown instead, or handle PresentationAction.dismiss in a \
                Reduce(child:) of the parent and place the child by a Scope.
                """)
    }

    package static func childReducerOfInner(_ action: String, _ child: String, inner: String)
        -> ProgrammerError
    {
        ProgrammerError(
            kind: .misplacedChildReducer,
            description: """
                A Reduce(child:) of \(action) is for the child at "\(child)", which does not handle such \
                actions; "\(inner)" does, which lies inside it. A Reduce(child:) handles what is sent to \
                the child itself, so this one answers only what is sent to all. To fix this, \
                reduce the action in the feature that scopes "\(inner)", or scope that feature \
                here by one key path.
                """)
    }
}

extension ProgrammerError {
    /// Stops a debug build; writes the message to standard error and continues in a release build.
    ///
    /// For ``Kind/passedReducer``, which may be intended, it continues in a debug build, too.
    package func complain() {
        if kind != .passedReducer { assertionFailure(description) }
        StandardError.say(self)
    }
}
