// SPDX-License-Identifier: MIT

internal import OnwardCore

/// The place of a key path that is read as an observed value: finds its cell before its key is
/// made.
@usableFromInline
struct ObservedSite: Hashable, Sendable {
    private let site: GroupSite
    private let reader: ObjectIdentifier?

    init(_ path: AnyKeyPath, from start: Int, _ kind: GroupKey.Kind, reader: (any Actor)?) {
        site = GroupSite(path, from: start, kind)
        self.reader = reader.map { ObjectIdentifier($0) }
    }
}
