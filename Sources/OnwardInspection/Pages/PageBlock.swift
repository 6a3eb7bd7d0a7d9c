// SPDX-License-Identifier: MIT

/// A part of the answer of an inspector's page, one below the other.
public enum PageBlock: Sendable, Hashable {
    /// A heading of what follows.
    case heading(String)
    /// A sentence in a quiet color.
    case note(String)
    /// A table; one without rows is not drawn.
    case table(PageTable)
    /// Links beside each other, such as those to further rows.
    case links([PageCell])

    /// A table without a sum.
    ///
    /// - Parameters:
    ///   - columns: The columns; the first one names its row.
    ///   - rows: The rows, with a cell for each column.
    /// - Returns: The table.
    public static func table(_ columns: [PageColumn], _ rows: [[PageCell]]) -> PageBlock {
        .table(PageTable(columns: columns, rows: rows))
    }
}

/// A table of an inspector's page.
public struct PageTable: Sendable, Hashable, Codable {
    /// The columns, at most 20; the first one names its row.
    public var columns: [PageColumn]
    /// The rows, with a cell for each column.
    public var rows: [[PageCell]]
    /// The last row, which sums up the others; empty for none.
    public var sum: [PageCell]

    /// Creates a table.
    public init(columns: [PageColumn], rows: [[PageCell]], sum: [PageCell] = []) {
        (self.columns, self.rows, self.sum) = (columns, rows, sum)
    }
}

/// A column of a table.
public struct PageColumn: Sendable, Hashable, Codable {
    /// Its title.
    public var title: String
    /// Whether it has words, which begin below each other, rather than numbers, which end there.
    public var hasWords: Bool
    /// Whether it is left out where there is little room.
    public var isMinor: Bool

    /// Creates a column.
    public init(_ title: String, hasWords: Bool = false, isMinor: Bool = false) {
        (self.title, self.hasWords, self.isMinor) = (title, hasWords, isMinor)
    }
}

extension PageColumn: ExpressibleByStringLiteral {
    /// Creates a column of numbers.
    public init(stringLiteral title: String) { self.init(title) }
}

/// A cell of a table, or a link: a text, which may lead somewhere in the inspector.
public struct PageCell: Sendable, Hashable, Codable {
    /// The text.
    public var text: String
    /// More about it, in a quiet color; empty for nothing.
    public var aside: String
    /// What is shown when a pointer rests on it; empty for nothing.
    public var hint: String
    /// Whether the text is code.
    public var isCode: Bool
    /// Where it leads; nil for nowhere.
    public var link: PageLink?
    /// A bar beside the text; nil for none.
    public var bar: PageBar?

    /// Creates a cell.
    public init(
        _ text: String, aside: String = "", hint: String = "", isCode: Bool = false,
        link: PageLink? = nil, bar: PageBar? = nil
    ) {
        (self.text, self.aside, self.hint) = (text, aside, hint)
        (self.isCode, self.link, self.bar) = (isCode, link, bar)
    }
}

/// A bar that shows when something began and ended: in thousandths of an axis that all rows share.
public struct PageBar: Sendable, Hashable, Codable {
    /// Where it begins, from 0 to 1,000.
    public var start: Int
    /// Where it ends, from 0 to 1,000.
    public var end: Int

    /// Creates a bar, within the axis.
    public init(start: Int, end: Int) {
        self.start = min(max(start, 0), 1_000)
        self.end = min(max(end, self.start), 1_000)
    }
}

extension PageCell: ExpressibleByStringInterpolation {
    /// Creates a cell that leads nowhere.
    public init(stringLiteral text: String) { self.init(text) }
}

/// Where a cell leads.
public enum PageLink: Sendable, Hashable {
    /// To an entry; the row of the selected one is marked.
    case entry(Int)
    /// To the entries that have a text, in the list.
    case entries(text: String)
    /// To a part of the state, as in `cart.items.0`.
    case state(path: String)
    /// To the same page with another question: the text of each field by its name.
    case question([String: String])

    /// Leads to the same page with another question.
    public static func asking(_ question: some Encodable) -> PageLink {
        .question(PageQuestion(question).texts)
    }
}

// MARK: - Coding

// Each case is an object with its name: `{"entry": 7}`.

extension PageBlock: Codable {
    private enum Key: String, CodingKey { case heading, note, table, links }

    /// Decodes a block; one of a later version is left empty.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        if let text = try fields.decodeIfPresent(String.self, forKey: .heading) {
            self = .heading(text)
        } else if let table = try fields.decodeIfPresent(PageTable.self, forKey: .table) {
            self = .table(table)
        } else if let links = try fields.decodeIfPresent([PageCell].self, forKey: .links) {
            self = .links(links)
        } else {
            self = .note(try fields.decodeIfPresent(String.self, forKey: .note) ?? "")
        }
    }

    /// Encodes the block.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        switch self {
        case .heading(let text): try fields.encode(text, forKey: .heading)
        case .note(let text): try fields.encode(text, forKey: .note)
        case .table(let table): try fields.encode(table, forKey: .table)
        case .links(let links): try fields.encode(links, forKey: .links)
        }
    }
}

extension PageLink: Codable {
    private enum Key: String, CodingKey { case entry, entries, state, question }

    /// Decodes a link; one of a later version leads to the same page.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        if let id = try fields.decodeIfPresent(Int.self, forKey: .entry) {
            self = .entry(id)
        } else if let text = try fields.decodeIfPresent(String.self, forKey: .entries) {
            self = .entries(text: text)
        } else if let path = try fields.decodeIfPresent(String.self, forKey: .state) {
            self = .state(path: path)
        } else {
            let texts = try fields.decodeIfPresent([String: String].self, forKey: .question)
            self = .question(texts ?? [:])
        }
    }

    /// Encodes the link.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        switch self {
        case .entry(let id): try fields.encode(id, forKey: .entry)
        case .entries(let text): try fields.encode(text, forKey: .entries)
        case .state(let path): try fields.encode(path, forKey: .state)
        case .question(let texts): try fields.encode(texts, forKey: .question)
        }
    }
}
