// SPDX-License-Identifier: MIT

public import OnwardCore

/// A value derived from a state, computed once per change of its inputs and shared by all its
/// readers.
///
/// ```swift
/// let open = StateSelector<App, [Todo]>(\.todos, \.filter) { todos, filter in todos.filter(filter) }
/// let progress = StateSelector(open, StateSelector(\.goal)) { open, goal in Double(open.count) / Double(goal) }
///
/// let token = store.subscribe(.selector(progress)) { old, new in … }
/// let now = store.value(of: .selector(progress))
/// ```
///
/// A selector is identified by the value that was made, not by what it does: keep it in a constant
/// and use that constant everywhere. It belongs to no store. Each store has a cache of its own for it,
/// one for each slice, which lasts as long as the selector has subscribers there, directly or
/// through other selectors. Of selectors that are only read, a store remembers the last few, up to
/// ``StoreLimits/readSelectors``.
///
/// Inputs are compared, and a value is not computed again from equal inputs: `Equatable`
/// inputs are compared by `==`, tables by what was done to them, other selectors by whether
/// they were computed anew. Any other input counts as new with every commit that may have
/// changed it.
///
/// Closures of selectors are pure functions of their inputs. They run outside the store's lock: on
/// the delivering thread if the selector has subscribers, otherwise on the reading thread. A store
/// never computes a selector on two threads at once, and a thread waits only for another one that
/// is computing the very value it needs, never while it is computing one itself.
public struct StateSelector<State: Sendable, Value: Sendable>: Sendable {
    /// Makes what evaluates the selector in a place of a store, under an identity.
    @usableFromInline
    typealias Bind = @Sendable (SelectorSite<State>, SelectorIdentity) -> BoundInput<Value>

    /// Where the selector was made.
    package let origin: ActionOrigin
    let identity: SelectorIdentity
    /// Ends with the last copy of the selector.
    let life = SelectorLife()
    /// The stored or computed property that a selector without a closure stands for.
    let path: (any KeyPath<State, Value> & Sendable)?
    /// What the selector is made of, as far as that is known before it is put to work.
    let inputs: [AnySelector<State>]
    let bind: Bind

    @usableFromInline
    init(
        identity: SelectorIdentity, origin: ActionOrigin, inputs: [AnySelector<State>] = [],
        path: (any KeyPath<State, Value> & Sendable)? = nil, bind: @escaping Bind
    ) {
        self.identity = identity
        self.origin = origin
        self.inputs = inputs
        self.path = path
        self.bind = bind
    }

    /// A property of the state as a selector: an input next to other selectors, as in
    /// `StateSelector(open, StateSelector(\.goal))`, or a table to derive others from.
    ///
    /// Nothing is computed or cached.
    ///
    /// - Parameters:
    ///   - path: The property.
    ///   - file: The source file, for reports.
    ///   - line: The source line, for reports.
    public init(
        _ path: any KeyPath<State, Value> & Sendable, file: String = #fileID, line: Int = #line
    ) {
        self.init(
            identity: SelectorIdentity(), origin: ActionOrigin(file: file, line: line), path: path
        ) { site, _ in
            BoundInput(site.getter.appending(path))
        }
    }

    /// What a closure derives from properties of the state.
    ///
    /// - Parameters:
    ///   - paths: The properties, any number.
    ///   - file: The source file, for reports.
    ///   - line: The source line, for reports.
    ///   - transform: Gets the values of the properties; pure.
    public init<each Input: Sendable>(
        _ paths: repeat any KeyPath<State, each Input> & Sendable,
        file: String = #fileID, line: Int = #line,
        _ transform: @escaping @Sendable (repeat each Input) -> Value
    ) {
        self.init(
            repeat StateSelector<State, each Input>(each paths, file: file, line: line),
            file: file, line: line, transform)
    }

    /// What a closure derives from other selectors, and from properties, each as
    /// `StateSelector(\.goal)`.
    ///
    /// - Parameters:
    ///   - selectors: The inputs, any number.
    ///   - file: The source file, for reports.
    ///   - line: The source line, for reports.
    ///   - transform: Gets the values of the inputs; pure.
    public init<each Input: Sendable>(
        _ selectors: repeat StateSelector<State, each Input>,
        file: String = #fileID, line: Int = #line,
        _ transform: @escaping @Sendable (repeat each Input) -> Value
    ) {
        let comparisons = (repeat InputComparison(of: (each Input).self))
        let recipe = SelectorRecipe<
            (repeat SelectorResult<each Input>), (repeat InputMemory<each Input>), Value, Value
        >(
            remember: { inputs in
                (repeat (each comparisons).memory(of: each inputs))
            },
            isSame: { memory, inputs in
                for isSame in repeat (each comparisons).isSame(each memory, each inputs) {
                    if !isSame { return false }
                }
                return true
            },
            compute: { inputs in transform(repeat (each inputs).value) },
            value: { $0 })
        let origin = ActionOrigin(file: file, line: line)
        var made: [AnySelector<State>] = []
        for selector in repeat each selectors { made.append(AnySelector(selector)) }
        self.init(identity: SelectorIdentity(), origin: origin, inputs: made) { site, identity in
            site.node(identity, origin) { site, registration in
                let inputs = (repeat site.input(each selectors))
                var all = SelectorInputs()
                for input in repeat each inputs { all.add(input) }
                return SelectorNode(registration, all) { root, node in
                    recipe.result(in: root, node) { (repeat (each inputs).read(root)) }
                }
            }
        }
    }
}
