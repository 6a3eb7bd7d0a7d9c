// SPDX-License-Identifier: MIT

public import HashTreeCollections

/// What a derivation makes from each group of rows.
///
/// Groups say which of them changed, and the table of each group which of its rows.
@usableFromInline
package struct GroupDerivation<Key: Hashable & Sendable, Each: TableDerivation>: Sendable {
    @usableFromInline
    struct Member: Sendable {
        @usableFromInline var kept: Each.Kept
        /// The log of the group's table as it was followed last.
        @usableFromInline var log: ChangeLog<Each.Row.ID>

        @inlinable
        init(_ table: EntityTable<Each.Row>, _ each: Each) {
            kept = each.compute(table)
            log = table.log
        }

        @inlinable
        mutating func follow(_ table: EntityTable<Each.Row>, _ each: Each) {
            guard table.mark != log.mark else { return }
            if !each.follow(&kept, since: log, in: table) { kept = each.compute(table) }
            log = table.log
        }
    }

    @usableFromInline
    package struct Kept: Sendable {
        @usableFromInline var members: TreeDictionary<Key, Member> = [:]
        @usableFromInline package var values: GroupValues<Key, Each.Value>

        @inlinable
        init(_ values: GroupValues<Key, Each.Value>) {
            self.values = values
        }
    }

    @usableFromInline let each: Each

    @inlinable
    package init(_ each: Each) {
        self.each = each
    }

    @inlinable
    package func compute(_ groups: EntityGroups<Key, Each.Row>) -> Kept {
        let none = each.value(of: each.compute(EntityTable()))
        var kept = Kept(GroupValues(none: none))
        for (key, table) in groups { bring(key, to: table, &kept) }
        return kept
    }

    /// Brings what was computed from one state of the groups to another one.
    ///
    /// - Complexity: What the groups that changed cost; O(groups) more where the logs do not know.
    @inlinable
    package func follow(
        _ kept: inout Kept, since old: ChangeLog<Key>, in groups: EntityGroups<Key, Each.Row>
    ) {
        let isKnown = groups.log.forEachTouched(since: old) { key in
            bring(key, to: groups.tables[key], &kept)
        }
        guard !isKnown else { return }
        // The tables of the groups may still know: each is asked.
        for key in Array(kept.members.keys) where groups.tables[key] == nil {
            bring(key, to: nil, &kept)
        }
        for (key, table) in groups { bring(key, to: table, &kept) }
    }

    @inlinable
    func bring(_ key: Key, to table: EntityTable<Each.Row>?, _ kept: inout Kept) {
        guard let table else {
            kept.members[key] = nil
            kept.values.values[key] = nil
            return
        }
        if kept.members[key]?.follow(table, each) == nil {
            kept.members[key] = Member(table, each)
        }
        if let member = kept.members[key] { kept.values.values[key] = each.value(of: member.kept) }
    }
}
