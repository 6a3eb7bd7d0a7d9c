// SPDX-License-Identifier: MIT

public import OnwardCore

/// How a selector makes its value, wherever it is used.
///
/// The closures over tables are made in inlinable functions, and so is the code that calls them; both
/// are compiled in the client, for its rows.
@usableFromInline
struct SelectorRecipe<Inputs, Memory, Kept, Value: Sendable>: Sendable {
    /// What to keep of inputs in order to recognise them.
    @usableFromInline let remember: @Sendable (Inputs) -> Memory
    /// Whether inputs are those that are remembered.
    @usableFromInline let isSame: @Sendable (Memory, Inputs) -> Bool
    /// Takes what is kept of remembered inputs to those given; false, and nothing done, where it cannot.
    ///
    /// Nil for a selector that always computes its value anew.
    @usableFromInline let follow: (@Sendable (inout Kept, Memory, Inputs) -> Bool)?
    /// Makes what is kept from the inputs alone.
    @usableFromInline let compute: @Sendable (Inputs) -> Kept
    /// The value, found in what is kept without work.
    @usableFromInline let value: @Sendable (Kept) -> Value

    @inlinable
    init(
        remember: @escaping @Sendable (Inputs) -> Memory,
        isSame: @escaping @Sendable (Memory, Inputs) -> Bool,
        follow: (@Sendable (inout Kept, Memory, Inputs) -> Bool)? = nil,
        compute: @escaping @Sendable (Inputs) -> Kept,
        value: @escaping @Sendable (Kept) -> Value
    ) {
        self.remember = remember
        self.isSame = isSame
        self.follow = follow
        self.compute = compute
        self.value = value
    }

    /// The value in a state, from the node's memo if it is there, else computed and put there.
    ///
    /// The inputs are read only where the node was not yet checked for the state's version.
    @inlinable
    func result(in root: RootCopy, _ node: AnySelectorNode, of inputs: () -> Inputs)
        -> SelectorResult<Value>
    {
        if let known = recall(root, node, { value($0.kept) }) { return known }
        let inputs = inputs()
        guard node.claim() else {
            return node.evaluating { SelectorResult(value(compute(inputs)), evaluation: 0) }
        }
        defer { node.release(root) }
        return node.evaluating { remembered(inputs, root, node) }
    }

    /// What is known for the version of a state, with the number of its evaluation; nil where nothing is,
    /// or another thread has the memo.
    @inlinable
    func recall<Known>(
        _ root: RootCopy, _ node: AnySelectorNode,
        _ known: (SelectorBox<Memory, Kept>) -> Known
    ) -> SelectorResult<Known>? {
        guard node.claimAtOnce() else { return nil }
        guard let index = node.index(for: root) else {
            node.release()
            return nil
        }
        defer { node.release(root) }
        return SelectorResult(known(box(at: index, of: node)), evaluation: node.recall(index))
    }

    /// As `result`, by the thread that has claimed the node.
    @inlinable
    func remembered(_ inputs: Inputs, _ root: RootCopy, _ node: AnySelectorNode)
        -> SelectorResult<Value>
    {
        let newestFirst = (0..<node.memoCount).reversed()
        for index in newestFirst {
            let box = box(at: index, of: node)
            if isSame(box.memory, inputs) {
                return SelectorResult(value(box.kept), evaluation: node.use(index, root))
            }
        }
        if let follow {
            for index in newestFirst {
                let box = box(at: index, of: node)
                guard node.isPast(index, root) else {
                    // Deliveries will ask for it, so what follows is another value.
                    var kept = box.kept
                    guard follow(&kept, box.memory, inputs) else { continue }
                    return add(kept, inputs, root, node)
                }
                if follow(&box.kept, box.memory, inputs) {
                    box.memory = remember(inputs)
                    return SelectorResult(value(box.kept), evaluation: node.renew(index, root))
                }
            }
        }
        return add(compute(inputs), inputs, root, node)
    }

    @inlinable
    func add(_ kept: Kept, _ inputs: Inputs, _ root: RootCopy, _ node: AnySelectorNode)
        -> SelectorResult<Value>
    {
        SelectorResult(
            value(kept), evaluation: node.add(SelectorBox(remember(inputs), kept), root))
    }

    @inlinable
    func box(at index: Int, of node: AnySelectorNode) -> SelectorBox<Memory, Kept> {
        // The boxes of a node are made here, by the one recipe that it was made with.
        unsafeDowncast(node.box(index), to: SelectorBox<Memory, Kept>.self)
    }
}
