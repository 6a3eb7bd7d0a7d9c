// SPDX-License-Identifier: MIT

// A page is searched in stretches of the log, each longer than the one before, so that a page
// without filters only costs what it shows.

extension EntryPage {
    /// The page for a query in a log of `count` entries.
    ///
    /// - Parameters:
    ///   - count: How many entries the log has.
    ///   - query: The query.
    ///   - matches: Returns the matching entries of a stretch in order; nil if the time is over, so
    ///     that the page ends before it.
    package init(
        of count: Int, by query: EntryQuery, _ matches: (Range<Int>) -> [EntryLine]?
    ) {
        let limit = min(max(query.limit, 1), EntryQuery.mostEntries)
        var length = limit
        switch query.start {
        case .end, .before:
            var end = count
            if case .before(let moment) = query.start { end = min(max(moment, 0), count) }
            if end < count { later = end }
            while end > 0, entries.count < limit, examined < EntryQuery.mostExamined {
                let stretch = max(0, end - length)..<end
                guard let found = matches(stretch) else { break }
                entries = found + entries
                examined += stretch.count
                end = stretch.lowerBound
                length = min(length * 2, 1_024)
            }
            entries.removeFirst(max(0, entries.count - limit))
            let isCut = entries.count == limit
            let first = isCut ? (entries.first?.moment ?? 1) - 1 : end
            earlier = first > 0 ? first : nil
        case .after(let moment):
            var start = min(max(moment, 0), count)
            earlier = start > 0 ? start : nil
            while start < count, entries.count < limit, examined < EntryQuery.mostExamined {
                let stretch = start..<min(count, start + length)
                guard let found = matches(stretch) else { break }
                entries += found
                examined += stretch.count
                start = stretch.upperBound
                length = min(length * 2, 1_024)
            }
            entries.removeLast(max(0, entries.count - limit))
            let isCut = entries.count == limit
            let last = isCut ? entries.last?.moment ?? count : start
            later = last < count ? last : nil
        }
    }
}

extension EntryLine {
    /// Whether it contains a text, which is in lower case.
    package func contains(_ text: String) -> Bool {
        [name, preview, address, "\(file):\(line)", page ?? ""].contains {
            $0.lowercased().contains(text)
        }
    }
}
