// SPDX-License-Identifier: MIT
#if Server

import NIOCore
import Onward

/// A page at one version, rendered once for all readers.
///
/// A reader is described only by the version it has: what it lacks follows from comparing that
/// version with those at which the fragments changed. So a reader that falls behind skips to the
/// newest page at no cost, and readers that keep up share the bytes of one event.
struct RenderedPage: Sendable {
    /// Identifies this page.
    let id: EventID
    /// The fragments in the order of the document.
    let fragments: [RenderedFragment]
    /// The version that last changed the page.
    let changed: CommitVersion
    /// The version that last changed which fragments there are, or their order.
    private let keysChanged: CommitVersion
    /// The version of the previous change: readers that have at least this share ``newest``.
    private let before: CommitVersion
    /// The event for the last change.
    private let newest: EventBytes
    /// The events for readers that lack more, made on the first request.
    private let others = SharedEvents()
    /// The versions that were last drawn here, if readers may come with versions that another
    /// server has drawn; nil if there is none.
    ///
    /// A page drawn elsewhere may have shown what appeared and disappeared between two of these.
    private let drawn: [CommitVersion]?
    private static var drawnLimit: Int { 64 }
    /// Its document, made on the first request.
    let document = SharedDocument()

    /// The page after `previous`.
    init(
        id: EventID, fragments: [RenderedFragment], after previous: RenderedPage?,
        isOfSharedLog: Bool = false
    ) {
        drawn =
            isOfSharedLog
            ? (previous?.drawn ?? []).suffix(Self.drawnLimit - 1) + [id.version] : nil
        self.id = id
        self.fragments = fragments
        let sameKeys = previous?.fragments.map(\.source.key) == fragments.map(\.source.key)
        let hasChanges = !sameKeys || fragments.contains { $0.changed == id.version }
        if let previous, !hasChanges {
            (changed, keysChanged) = (previous.changed, previous.keysChanged)
            (before, newest) = (previous.before, previous.newest)
        } else {
            changed = id.version
            keysChanged = sameKeys ? previous?.keysChanged ?? id.version : id.version
            before = previous?.changed ?? id.version
            newest = EventBytes(
                Self.event(
                    id, fragments, after: before, keys: sameKeys ? nil : fragments.map(\.source.key)
                ))
        }
    }

    /// The event for a reader that has the page `known`.
    ///
    /// - Parameters:
    ///   - known: The page that the reader has; if it is nil, of another epoch or from the future,
    ///     all fragments are sent.
    ///   - isPacked: Whether it is a piece of a compressed stream.
    /// - Returns: What the reader lacks; nil if the page still looks the same.
    /// - Complexity: O(1) for a reader that had the page before the last change, or lacks what
    ///   another one lacked; O(size of the changed fragments) for others.
    func event(after known: EventID?, isPacked: Bool = false) -> ByteBuffer? {
        bytes(after: known)?.bytes(isPacked: isPacked)
    }

    private func bytes(after known: EventID?) -> EventBytes? {
        guard let known, known.epoch == id.epoch, known.version <= id.version,
            drawn?.contains(known.version) ?? true
        else {
            return others.event(after: nil) {
                Self.event(id, fragments, after: nil, keys: fragments.map(\.source.key))
            }
        }
        if known.version >= changed { return nil }
        if known.version >= before { return newest }
        return others.event(after: known.version) {
            Self.event(
                id, fragments, after: known.version,
                keys: keysChanged > known.version ? fragments.map(\.source.key) : nil)
        }
    }

    /// The version for the ids of requests made on it; nil if other servers can't use it.
    var since: CommitVersion? { drawn == nil ? nil : id.version }

    /// Whether a reader has a page that another server has drawn later than this one.
    func isBehind(_ known: EventID?) -> Bool {
        guard drawn != nil, let known else { return false }
        return known.epoch == id.epoch && known.version > id.version
    }

    /// The lines of the event that sends the whole page.
    var lines: [String] {
        [EventLine.keys(fragments.map(\.source.key))] + fragments.map { $0.line() }
    }

    /// What a reader that has the version `known`, or nothing, lacks.
    private static func event(
        _ id: EventID, _ fragments: [RenderedFragment], after known: CommitVersion?, keys: [String]?
    ) -> ByteBuffer {
        var event = ByteBuffer()
        event.writeString("id: \(id)\n")
        if let keys { event.writeString("data: \(EventLine.keys(keys))\n") }
        for fragment in fragments where known.map({ fragment.changed > $0 }) ?? true {
            event.writeString("data: ")
            event.writeString(fragment.line(after: known))
            event.writeString("\n")
        }
        event.writeString("\n")
        return event
    }
}

/// The events of one page, for readers that have older pages or none: the same bytes for all that
/// lack the same.
private final class SharedEvents: Sendable {
    /// How many are kept; a page that changes often has readers with many older versions.
    private static var limit: Int { 16 }
    private let kept = Guarded<[CommitVersion?: EventBytes]>([:])

    func event(after known: CommitVersion?, make: () -> ByteBuffer) -> EventBytes {
        if let event = kept.withValue({ $0[known] }) { return event }
        // Two simultaneous readers may both make it; the first result is kept.
        let event = EventBytes(make())
        return kept.withValue { kept in
            if let first = kept[known] { return first }
            if kept.count < Self.limit { kept[known] = event }
            return event
        }
    }
}
#endif
