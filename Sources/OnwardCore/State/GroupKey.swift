// SPDX-License-Identifier: MIT

/// What makes two selections the same.
@usableFromInline
package struct GroupKey: Hashable {
    /// A stored property by its offset, anything else by the way to it from one.
    package enum Source: Hashable, @unchecked Sendable {  // All in it came as `Sendable`.
        case field(offset: Int, type: ObjectIdentifier)
        case path(AnyKeyPath, from: Int)
        /// A key path from a computed value.
        indirect case inner(AnyKeyPath, of: Source)
        /// The row with an id.
        indirect case row(AnyHashable, of: Source)
        /// What an optional holds or, while it is nil, what a store saw last.
        indirect case unwrapped(Source, by: LastKnownIdentity)
        /// Whether an optional holds something.
        indirect case presence(Source)
        /// What a closure derives from a value.
        indirect case closure(ClosureIdentity, of: Source)
        /// What a layer above the core derives, by what distinguishes it from everything else.
        indirect case derived(AnyHashable)
    }

    /// What is notified of the value.
    @usableFromInline
    package enum Kind: Hashable, Sendable { case everyCommit, changes, tables, rows }

    package let source: Source
    package let kind: Kind

    package init(source: Source, kind: Kind) {
        self.source = source
        self.kind = kind
    }
}

/// Where a key path that subscribers read is used: finds their group before its key is made.
@usableFromInline
package struct GroupSite: Hashable, Sendable {
    /// The object of the key path; one literal in a program is one object.
    private let path: ObjectIdentifier
    /// Where in the root state the path starts.
    private let offset: Int
    private let kind: GroupKey.Kind

    @usableFromInline
    package init(_ path: AnyKeyPath, from offset: Int, _ kind: GroupKey.Kind) {
        self.path = ObjectIdentifier(path)
        self.offset = offset
        self.kind = kind
    }
}

/// The identity of a closure that captured nothing, such as a literal, each time its place is reached.
///
/// A closure that captured something differs from all others. The address of its captures would identify it
/// too, but compilers usually wrap it anew wherever it is passed on, and a key takes as much memory as the
/// subscriber.
@usableFromInline
package struct ClosureIdentity: Hashable, Sendable {
    private let code: UInt
    private let value: ObjectIdentifier

    @usableFromInline
    init?<State, Value>(_ closure: IdentifiedClosure<State, Value>) {
        let (code, captures) = unsafeBitCast(closure, to: (code: UInt, captures: UInt).self)
        guard captures == 0 else { return nil }
        self.code = code
        value = ObjectIdentifier(Value.self)
    }
}

/// A closure as it was given: to pass it on by itself, as a value of any type, would wrap it in another one.
@usableFromInline
package struct IdentifiedClosure<State, Value>: Sendable {
    let call: @Sendable (State) -> Value

    @usableFromInline
    package init(call: @escaping @Sendable (State) -> Value) {
        self.call = call
    }
}
