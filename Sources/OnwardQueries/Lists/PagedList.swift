// SPDX-License-Identifier: MIT

public import Onward

/// A list of a server that is read page by page, as one flat table.
///
/// ```swift
/// struct App: Sendable { var feed = PagedList<Feed>() }
///
/// store.subscribe(.table(\.feed.rows)) { old, new in list.apply(new.changes(since: old)) }
/// store.dispatch(PagedAction<Feed>.next)
/// ```
///
/// The pages that are shown are queries that are wanted: they are refetched in their order, polled,
/// invalidated and kept as ``Fetch`` does it. ``rows`` changes row by row; an item that two pages
/// have is one row, where it was first, as the page answered last has it.
public struct PagedList<Q: PagedQuery>: Equatable, Sendable {
    /// The pages, those of other lists that were shown before included.
    public internal(set) var pages = QueryCache<PageQuery<Q>>()
    /// The list that is shown.
    public private(set) var query: Q?
    /// The rows of all pages that are shown.
    ///
    /// While a page between others is asked for, the rows stay that may be on it.
    public private(set) var rows: EntityTable<Q.Item> = []
    /// The pages that are shown, in their order, the one that is asked for included.
    public private(set) var shown: [PageQuery<Q>] = []

    /// The page that the list is shown from.
    private var start: Q.Cursor?
    /// How many pages are shown, if there are so many.
    private var depth = 1

    /// Creates a list that shows nothing.
    public init() {}

    /// Whether there is a page after those that are shown, as far as is known.
    public var hasNext: Bool { nextCursor != nil }

    /// Whether there is a page before those that are shown, as far as is known.
    public var hasPrevious: Bool { previousCursor != nil }

    /// Whether a page that is shown is being asked for.
    public var isFetching: Bool { shown.contains { pages[$0]?.isFetching == true } }

    /// Why a page that is shown has no answer.
    public var failure: Q.Failure? { shown.lazy.compactMap { pages[$0]?.failure }.first }

    private var nextCursor: Q.Cursor? {
        guard let last = shown.last, let page = pages.value(of: last) else { return nil }
        return Q.cursor(after: page, at: last.cursor)
    }

    private var previousCursor: Q.Cursor? {
        guard let first = shown.first, let page = pages.value(of: first) else { return nil }
        return Q.cursor(before: page, at: first.cursor)
    }
}

// MARK: - Events

extension PagedList {
    mutating func reduce(_ action: PagedAction<Q>, keeping limit: Int) {
        switch action {
        case .show(let query): show(query)
        case .next: next(keeping: limit)
        case .previous: previous(keeping: limit)
        }
    }

    private mutating func show(_ query: Q?) {
        guard query != self.query else { return update() }
        self.query = query
        start = query?.firstCursor
        depth = 1
        rows.removeAll()
        update()
    }

    private mutating func next(keeping limit: Int) {
        guard hasNext else { return }
        if depth < limit {
            depth += 1
        } else if shown.count > 1 {
            start = shown[1].cursor
        } else {
            start = nextCursor
        }
        update()
    }

    private mutating func previous(keeping limit: Int) {
        guard let previousCursor else { return }
        start = previousCursor
        depth = min(depth + 1, limit)
        update()
    }

    /// Finds the pages that are shown, and their rows, after an answer.
    mutating func update() {
        shown = []
        var cursor = query == nil ? nil : start
        var seen: Set<Q.Cursor> = []
        var answers: [Q.Page] = []
        while let query, let place = cursor, shown.count < depth, seen.insert(place).inserted {
            let page = PageQuery(query, at: place)
            shown.append(page)
            guard let answer = pages.value(of: page) else { break }
            answers.append(answer)
            cursor = Q.cursor(after: answer, at: place)
        }
        show(answers.flatMap { Q.items(of: $0) }, isWhole: answers.count == shown.count)
    }

    /// Brings the rows to these items, changing only those that differ.
    private mutating func show(_ items: [Q.Item], isWhole: Bool) {
        var latest: [Q.Item.ID: Q.Item] = [:]
        for item in items { latest[item.id] = item }
        if isWhole { rows.removeAll { latest[$0.id] == nil } }
        var position = 0
        for item in items {
            guard let item = latest.removeValue(forKey: item.id) else { continue }
            if let old = rows[id: item.id] {
                if old != item { rows.update(id: item.id) { $0 = item } }
                if isWhole, rows.index(id: item.id) != position {
                    rows.move(id: item.id, to: position)
                }
            } else {
                rows.insert(item, at: isWhole ? position : min(position, rows.count))
            }
            position += 1
        }
    }

    /// A logout leaves no rows.
    mutating func clear() {
        rows.removeAll()
        start = query?.firstCursor
        depth = 1
        update()
    }
}

// MARK: - Saving

extension PagedList: Codable {
    private enum CodingKeys: String, CodingKey { case pages, query, start, depth }

    /// Reads the answers and which pages were shown; the rows are made of them again.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        pages = try container.decode(QueryCache<PageQuery<Q>>.self, forKey: .pages)
        query = try container.decodeIfPresent(Q.self, forKey: .query)
        start = try container.decodeIfPresent(Q.Cursor.self, forKey: .start)
        depth = max(1, try container.decode(Int.self, forKey: .depth))
        update()
    }

    /// Writes the answers and which pages are shown.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(pages, forKey: .pages)
        try container.encodeIfPresent(query, forKey: .query)
        try container.encodeIfPresent(start, forKey: .start)
        try container.encode(depth, forKey: .depth)
    }
}
