// SPDX-License-Identifier: MIT

/// What makes two selections the same.
@usableFromInline
struct GroupKey: Hashable {
    /// A stored property by its offset, anything else by the way to it from one.
    enum Source: Hashable, @unchecked Sendable {  // Key paths and ids in it came as `Sendable`.
        case field(offset: Int, type: ObjectIdentifier)
        case path(AnyKeyPath, from: Int)
        /// A key path from a computed value.
        indirect case inner(AnyKeyPath, of: Source)
        /// The row with an id.
        indirect case row(AnyHashable, of: Source)
        /// What an optional holds or, while it is nil, what a store saw last.
        indirect case unwrapped(Source, by: Memory)
        /// Whether an optional holds something.
        indirect case presence(Source)
        /// A selector in its place.
        indirect case selector(SelectorKey)
    }

    /// What is told of the value.
    @usableFromInline
    enum Kind: Hashable, Sendable { case everyCommit, changes, rows }

    let source: Source
    let kind: Kind
}

/// Where a key path stands that subscribers read: what finds their group before its key is made.
@usableFromInline
struct GroupSite: Hashable, Sendable {
    /// The object of the key path; one literal in a program is one object.
    private let path: ObjectIdentifier
    /// Where in the root state the path starts.
    private let offset: Int
    private let kind: GroupKey.Kind

    @usableFromInline
    init(_ path: AnyKeyPath, from offset: Int, _ kind: GroupKey.Kind) {
        self.path = ObjectIdentifier(path)
        self.offset = offset
        self.kind = kind
    }
}
