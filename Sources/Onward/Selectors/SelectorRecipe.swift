// SPDX-License-Identifier: MIT

/// How a selector makes its value, wherever it is used.
///
/// The closures over tables are made in inlinable functions, and so is the code that calls them; both
/// are compiled in the client, for its rows.
@usableFromInline
struct SelectorRecipe<Inputs, Memory, Value: Sendable>: Sendable {
    /// What to keep of inputs in order to recognise them.
    @usableFromInline let remember: @Sendable (Inputs) -> Memory
    /// Whether inputs are those that are remembered.
    @usableFromInline let isSame: @Sendable (Memory, Inputs) -> Bool
    /// Brings the value of remembered inputs to those given; false, and nothing done, where it cannot.
    ///
    /// Nil for a selector that always computes its value anew.
    @usableFromInline let follow: (@Sendable (inout Value, Memory, Inputs) -> Bool)?
    /// Makes the value from nothing but the inputs.
    @usableFromInline let compute: @Sendable (Inputs) -> Value

    @inlinable
    init(
        remember: @escaping @Sendable (Inputs) -> Memory,
        isSame: @escaping @Sendable (Memory, Inputs) -> Bool,
        follow: (@Sendable (inout Value, Memory, Inputs) -> Bool)? = nil,
        compute: @escaping @Sendable (Inputs) -> Value
    ) {
        self.remember = remember
        self.isSame = isSame
        self.follow = follow
        self.compute = compute
    }

    /// The value for inputs, from the node's memo if it is there, else computed and put there.
    @inlinable
    func result(of inputs: Inputs, in root: RootCopy, _ node: AnySelectorNode)
        -> SelectorResult<Value>
    {
        guard node.claim() else {
            return node.evaluating { SelectorResult(compute(inputs), evaluation: 0) }
        }
        defer { node.release(root) }
        return node.evaluating { remembered(inputs, root, node) }
    }

    /// As `result`, by who has claimed the node.
    @inlinable
    func remembered(_ inputs: Inputs, _ root: RootCopy, _ node: AnySelectorNode)
        -> SelectorResult<Value>
    {
        let newestFirst = (0..<node.memoCount).reversed()
        for index in newestFirst {
            let box = box(at: index, of: node)
            if isSame(box.memory, inputs) {
                return SelectorResult(box.value, evaluation: node.use(index, root))
            }
        }
        if let follow {
            for index in newestFirst {
                let box = box(at: index, of: node)
                guard node.isPast(index, root) else {
                    // Deliveries will ask for it, so what follows is another value.
                    var value = box.value
                    guard follow(&value, box.memory, inputs) else { continue }
                    return add(value, inputs, root, node)
                }
                if follow(&box.value, box.memory, inputs) {
                    box.memory = remember(inputs)
                    return SelectorResult(box.value, evaluation: node.renew(index, root))
                }
            }
        }
        return add(compute(inputs), inputs, root, node)
    }

    @inlinable
    func add(_ value: Value, _ inputs: Inputs, _ root: RootCopy, _ node: AnySelectorNode)
        -> SelectorResult<Value>
    {
        SelectorResult(
            value, evaluation: node.add(SelectorBox(remember(inputs), value), root))
    }

    @inlinable
    func box(at index: Int, of node: AnySelectorNode) -> SelectorBox<Memory, Value> {
        // The boxes of a node are made here, by the one recipe that it was made with.
        unsafeDowncast(node.box(index), to: SelectorBox<Memory, Value>.self)
    }
}
