// SPDX-License-Identifier: MIT

// What a page answers is code of others, here or in an app that has connected: its texts are shown as
// texts, and no more of them than there is room for.

extension [PageBlock] {
    /// The maximum number of blocks, of columns of a table, and of letters in a text.
    private static var mostBlocks: Int { 50 }
    fileprivate static var mostColumns: Int { 20 }
    fileprivate static var mostLetters: Int { 1_000 }
    /// The maximum number of letters in all texts together.
    private static var mostOfAllLetters: Int { 1 << 20 }

    /// As much of the blocks as a page has room for; a note says if there is more.
    package var bounded: [PageBlock] {
        var room = Room(rows: InspectorPage.mostRows, letters: Self.mostOfAllLetters)
        var kept: [PageBlock] = []
        for block in prefix(Self.mostBlocks) {
            guard !room.isFull else { break }
            switch block {
            case .heading(let text): kept.append(.heading(room.keep(text)))
            case .note(let text): kept.append(.note(room.keep(text)))
            case .links(let cells): kept.append(.links(room.keep(cells)))
            case .table(let table): kept.append(.table(room.keep(table)))
            }
        }
        if count > Self.mostBlocks || room.isFull {
            kept.append(.note("There is more than a page has room for."))
        }
        return kept
    }
}

extension PageLink {
    /// The link with texts that a URL has room for.
    fileprivate var bounded: PageLink {
        func kept(_ text: String) -> String { String(text.prefix(PageQuestion.mostLetters)) }
        switch self {
        case .entry: return self
        case .entries(let text): return .entries(text: kept(text))
        case .state(let path): return .state(path: kept(path))
        case .question(let texts):
            let some = texts.sorted { $0.key < $1.key }.prefix(PageQuestion.mostFields)
            return .question(
                Dictionary(some.map { (kept($0.key), kept($0.value)) }) { first, _ in first })
        }
    }
}

/// How much more a page has room for.
private struct Room {
    var rows: Int
    var letters: Int
    var isFull = false

    init(rows: Int, letters: Int) { (self.rows, self.letters) = (rows, letters) }

    mutating func keep(_ text: String) -> String {
        let most = Swift.min([PageBlock].mostLetters, letters)
        let kept = String(text.prefix(most))
        letters -= kept.count
        if letters <= 0 { isFull = true }
        return kept.utf8.count < text.utf8.count ? kept.visible + "…" : kept.visible
    }

    mutating func keep(_ cells: [PageCell]) -> [PageCell] {
        var kept: [PageCell] = []
        for cell in cells.prefix([PageBlock].mostColumns) {
            kept.append(
                PageCell(
                    keep(cell.text), aside: keep(cell.aside), hint: keep(cell.hint),
                    isCode: cell.isCode, link: cell.link?.bounded,
                    bar: cell.bar.map { PageBar(start: $0.start, end: $0.end) }))
        }
        return kept
    }

    mutating func keep(_ table: PageTable) -> PageTable {
        var kept = PageTable(columns: [], rows: [])
        for column in table.columns.prefix([PageBlock].mostColumns) {
            kept.columns.append(
                PageColumn(
                    keep(column.title), hasWords: column.hasWords, isMinor: column.isMinor))
        }
        for row in table.rows {
            guard rows > 0, !isFull else {
                isFull = true
                break
            }
            rows -= 1
            kept.rows.append(keep(row))
        }
        kept.sum = keep(table.sum)
        return kept
    }
}
