// SPDX-License-Identifier: MIT

/// How a value is read out of a root state.
///
/// A stored property lies at a constant offset and is copied from there; anything else is computed
/// by `derive`, which runs on a copy of the root state, outside the lock.
@usableFromInline
package struct Getter<Value>: Sendable {
    /// The bytes of the root state on which the value depends.
    @usableFromInline package let range: Range<Int>
    /// Computes the value from a pointer to a root state; nil when it lies at the start of `range`.
    @usableFromInline package let derive: (@Sendable (UnsafeRawPointer) -> Value)?
    /// What distinguishes a computed value from others; nil where nothing does, and for a stored
    /// value, whose place does.
    package let source: GroupKey.Source?
    /// Whether a root state has the value; nil where every state has it.
    ///
    /// Where there is none `derive` gives the one that a store saw last, which need not be what a
    /// subscriber saw last.
    package let isThere: (@Sendable (UnsafeRawPointer) -> Bool)?

    /// Where a value without `derive` starts.
    @inlinable package var offset: Int { range.lowerBound }

    /// The root state itself.
    package static var root: Getter {
        Getter(range: 0..<MemoryLayout<Value>.size, derive: nil)
    }

    package init(
        range: Range<Int>, derive: (@Sendable (UnsafeRawPointer) -> Value)?,
        source: GroupKey.Source? = nil, isThere: (@Sendable (UnsafeRawPointer) -> Bool)? = nil
    ) {
        self.range = range
        self.derive = derive
        self.source = source
        self.isThere = isThere
    }

    /// Reads the value from a root state.
    package func read(from root: UnsafeRawPointer) -> Value {
        guard let derive else {
            return (root + offset).assumingMemoryBound(to: Value.self).pointee
        }
        return derive(root)
    }

    /// What is seen under the lock, of which the value is made outside.
    package enum Seen {
        case value(Value)
        /// A copy of the root state.
        case state(ValueCopy)
    }

    /// The value, of what was seen.
    package func value(of seen: consuming Seen) -> Value {
        switch consume seen {
        case .value(let value): value
        case .state(let copy): copy.withPointer(read)
        }
    }

    /// The value at a key path.
    package func appending<Part>(_ path: any KeyPath<Value, Part> & Sendable) -> Getter<Part> {
        if derive == nil, let inner = MemoryLayout<Value>.offset(of: path) {
            let start = offset + inner
            return Getter<Part>(range: start..<start + MemoryLayout<Part>.size, derive: nil)
        }
        return selecting(as: source(of: path)) { $0[keyPath: path] }
    }

    /// What a closure derives from the value; `source` distinguishes it from other closures.
    func selecting<Part>(
        as source: GroupKey.Source? = nil, _ select: @escaping @Sendable (Value) -> Part
    ) -> Getter<Part> {
        Getter<Part>(
            range: range, derive: { select(read(from: $0)) }, source: source, isThere: isThere)
    }

    /// What distinguishes the value from others, stored or computed; nil where nothing does.
    package var stableSource: GroupKey.Source? {
        derive == nil ? .field(offset: offset, type: ObjectIdentifier(Value.self)) : source
    }

    /// What distinguishes the computed value at a path from others; nil where nothing does.
    package func source(of path: AnyKeyPath) -> GroupKey.Source? {
        guard derive != nil else { return .path(path, from: offset) }
        return source.map { .inner(path, of: $0) }
    }

    /// What distinguishes the row with an id, in the table at a path, from others; nil where
    /// nothing does.
    package func source<ID: Hashable & Sendable>(of path: AnyKeyPath, id: ID) -> GroupKey.Source? {
        source(of: path).map { .row(AnyHashable(id), of: $0) }
    }
}
