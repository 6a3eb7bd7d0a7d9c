// SPDX-License-Identifier: MIT

public import EntityTables
public import OnwardCore

/// What a selector made, and in which of its evaluations.
///
/// The value comes first: a pointer to a result is a pointer to its value too, which subscribers
/// rely on.
@usableFromInline
struct SelectorResult<Value> {
    @usableFromInline let value: Value
    /// The number of the evaluation among those of its node; 0 for what is read, not evaluated.
    @usableFromInline let evaluation: UInt64

    @inlinable
    init(_ value: Value, evaluation: UInt64) {
        self.value = value
        self.evaluation = evaluation
    }
}

extension SelectorResult: Sendable where Value: Sendable {}

/// An input of a selector in one place of a store.
@usableFromInline
struct BoundInput<Value: Sendable>: Sendable {
    @usableFromInline let ranges: StateRanges
    /// Evaluates the input; nil where it is only read.
    let node: SelectorNode<Value>?
    @usableFromInline let read: @Sendable (RootCopy) -> SelectorResult<Value>

    /// A property of the state.
    init(_ getter: Getter<Value>) {
        ranges = StateRanges(getter.range)
        node = nil
        read = { SelectorResult($0.withPointer(getter.read), evaluation: 0) }
    }

    /// Another selector, which is kept alive.
    init(_ node: SelectorNode<Value>) {
        ranges = node.ranges
        self.node = node
        read = { node.result(in: $0) }
    }
}

/// What a node needs to know of its inputs, without their types.
@usableFromInline
struct SelectorInputs: Sendable {
    private var union: StateRanges?
    private(set) var nodes: [AnySelectorNode] = []

    /// The bytes of the state that the inputs depend on; those of all commits where there are none.
    var ranges: StateRanges { union ?? StateRanges(0..<0) }

    @usableFromInline
    init() {}

    /// The inputs of what may read all of a part of the state besides.
    init(all range: Range<Int>) {
        union = StateRanges(range)
    }

    @usableFromInline
    mutating func add<Value>(_ input: BoundInput<Value>) {
        if union == nil { union = input.ranges } else { union?.formUnion(input.ranges) }
        if let node = input.node { nodes.append(node) }
    }
}

/// What is kept of an input to recognise it.
@usableFromInline
struct InputMemory<Value> {
    @usableFromInline let evaluation: UInt64
    /// Of a table only its name, as keeping the table makes the next commit copy.
    let mark: EntityMark?
    @usableFromInline let value: Value?
}

extension InputMemory: Sendable where Value: Sendable {}

/// How inputs of one type are recognised; found out when a selector is made.
@usableFromInline
struct InputComparison<Value: Sendable>: Sendable {
    private let mark: (@Sendable (Value) -> EntityMark)?
    private let areEqual: (@Sendable (Value, Value) -> Bool)?

    @usableFromInline
    init(of type: Value.Type) {
        let mark = (type as? any MarkedTable.Type).map { Self.mark(as: $0) }
        let equatable = mark == nil ? type as? any Equatable.Type : nil
        self.mark = mark
        areEqual = equatable.map { Self.equality(as: $0) }
    }

    @usableFromInline
    func memory(of input: SelectorResult<Value>) -> InputMemory<Value> {
        InputMemory(
            evaluation: input.evaluation, mark: mark?(input.value),
            value: areEqual == nil ? nil : input.value)
    }

    @usableFromInline
    func isSame(_ memory: InputMemory<Value>, _ input: SelectorResult<Value>) -> Bool {
        if input.evaluation != 0, memory.evaluation == input.evaluation { return true }
        if let mark { return memory.mark == mark(input.value) }
        guard let areEqual, let value = memory.value else { return false }
        return areEqual(value, input.value)
    }

    private static func mark<Table: MarkedTable>(
        as type: Table.Type
    ) -> @Sendable (Value) -> EntityMark {
        // `Table` is `Value`, found to conform.
        { value in
            withUnsafePointer(to: value) {
                UnsafeRawPointer($0).assumingMemoryBound(to: Table.self).pointee.mark
            }
        }
    }

    private static func equality<Same: Equatable>(
        as type: Same.Type
    ) -> @Sendable (Value, Value) -> Bool {
        // `Same` is `Value`, found to conform.
        { left, right in
            withUnsafePointer(to: left) { left in
                withUnsafePointer(to: right) { right in
                    isUnchanged(
                        at: UnsafeRawPointer(left).assumingMemoryBound(to: Same.self),
                        UnsafeRawPointer(right).assumingMemoryBound(to: Same.self))
                }
            }
        }
    }
}

/// A table, or groups, without the type of the rows.
protocol MarkedTable {
    var mark: EntityMark { get }
}

extension EntityTable: MarkedTable {}
extension EntityGroups: MarkedTable {}
