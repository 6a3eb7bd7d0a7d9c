// SPDX-License-Identifier: MIT

internal import OnwardJournal

/// A page that an app, or a part of a library, adds to the inspector.
///
/// ```swift
/// struct Least: Codable, Sendable { var milliseconds = 5 }
/// let slow = InspectorPage("slow", title: "Slow", asking: Least()) { least, context in
///     let costs = context.activity.costs.filter { $0.worst >= least.milliseconds * 1_000_000 }
///     return [
///         .table(["Action", "Slowest"], costs.map { ["\($0.name)", "\($0.worst / 1_000_000) ms"] })
///     ]
/// }
/// let inspector = Inspector(pages: [slow])
/// ```
///
/// A page turns a question into blocks of text and tables, which the inspector draws: it has no
/// markup of its own, so nothing in it can be taken for markup. The question is a `Codable` value;
/// its fields are a form above the page, and are in the page's URL. The page asks the log, and what
/// else the store does, wherever the store lives.
///
/// It runs on the inspector's own thread, outside any lock, and may be asked anew with each entry.
/// What it throws is shown in its place. An answer may take as long as any other question of the
/// inspector, and has at most ``mostRows`` rows.
public struct InspectorPage: Sendable {
    /// The maximum number of rows in all tables of an answer.
    public static let mostRows = 1_000
    /// The maximum number of pages of a store.
    package static let mostPages = 16

    /// The name in URLs: letters, digits and hyphens.
    public let name: String
    /// The title of the page's tab.
    public let title: String
    /// Whether the page is also drawn again when the log stays the same, but what else the store does
    /// has changed.
    public let isLive: Bool
    /// The fields of its question.
    package let fields: [PageField]
    /// Grows when a live page has something new that isn't in the log.
    package var revision: @Sendable () -> UInt64 = { 0 }
    private let draw: @Sendable (PageQuestion, PageContext) throws -> [PageBlock]

    /// Creates a page that answers a question.
    ///
    /// - Parameters:
    ///   - name: The name in URLs, in which any character other than a letter, digit or hyphen
    ///     becomes a hyphen. Of two pages with one name, the one that was added first is shown.
    ///   - title: The title of the page's tab.
    ///   - question: The question unless another is asked. Each of its fields that is a text, a
    ///     number or a truth value is part of a form; one that is nil is set by links of the page
    ///     alone, see ``PageLink/asking(_:)``.
    ///   - isLive: Whether the page is also drawn again when ``PageContext/activity`` changes, rather
    ///     than with the log alone.
    ///   - blocks: Finds the answer.
    public init<Question: Codable & Sendable>(
        _ name: String, title: String, asking question: Question, isLive: Bool = false,
        blocks: @escaping @Sendable (Question, PageContext) throws -> [PageBlock]
    ) {
        let standard = PageQuestion(question)
        self.init(
            PageSummary(name: name, title: title, isLive: isLive, fields: standard.fields)
        ) { asked, context in
            try blocks(try standard.asking(asked), context)
        }
    }

    /// Creates a page without a question.
    ///
    /// Otherwise like a page that answers a question.
    public init(
        _ name: String, title: String, isLive: Bool = false,
        blocks: @escaping @Sendable (PageContext) throws -> [PageBlock]
    ) {
        self.init(PageSummary(name: name, title: title, isLive: isLive, fields: [])) { _, context in
            try blocks(context)
        }
    }

    /// Creates a page from what is known of it elsewhere.
    package init(
        _ summary: PageSummary,
        draw: @escaping @Sendable (PageQuestion, PageContext) throws -> [PageBlock]
    ) {
        let summary = summary.bounded
        (name, title, isLive) = (summary.name, summary.title, summary.isLive)
        fields = summary.fields
        self.draw = draw
    }

    /// What there is to know of the page without asking it.
    package var summary: PageSummary {
        PageSummary(name: name, title: title, isLive: isLive, fields: fields)
    }

    /// Returns the page's answer, no larger than an answer may be.
    ///
    /// - Parameters:
    ///   - texts: The question: the text of each field that isn't as usual, by its name.
    ///   - context: What is asked.
    /// - Returns: The blocks of the page.
    /// - Throws: ``InspectorError`` for a field of the wrong kind, for an answer that takes too long,
    ///   and for anything that the page throws.
    public func blocks(
        asking texts: [String: String] = [:], in context: PageContext
    ) throws(InspectorError) -> [PageBlock] {
        let blocks: [PageBlock]
        do {
            blocks = try draw(PageQuestion(texts: texts), context)
        } catch {
            throw error as? InspectorError
                ?? InspectorError(.refused, String("\(error)".prefix(1_000)))
        }
        if context.isOver, let problem = context.limits.problem { throw problem }
        return blocks.bounded
    }
}

/// What there is to know of a page without asking it.
package struct PageSummary: Sendable, Hashable, Codable {
    package var name: String
    package var title: String
    package var isLive: Bool
    package var fields: [PageField]

    package init(name: String, title: String, isLive: Bool, fields: [PageField]) {
        (self.name, self.title, self.isLive, self.fields) = (name, title, isLive, fields)
    }

    /// The summary with a name for URLs, and no longer than a page has room for.
    fileprivate var bounded: PageSummary {
        let letters = name.prefix(64).map { character in
            character.isASCII && (character.isLetter || character.isNumber) ? character : "-"
        }
        let known = fields.filter {
            $0.name.count <= 64 && $0.text.count <= PageQuestion.mostLetters
        }
        return PageSummary(
            name: letters.isEmpty ? "page" : String(letters),
            title: String((title.isEmpty ? name : title).prefix(40)).visible,
            isLive: isLive, fields: Array(known.prefix(PageQuestion.mostFields)))
    }
}

extension [InspectorPage] {
    /// The page with a name.
    package subscript(name: String) -> InspectorPage? { first { $0.name == name } }

    /// The first page of each name, and not too many.
    package var different: [InspectorPage] {
        var names: Set<String> = []
        return Array(filter { names.insert($0.name).inserted }.prefix(InspectorPage.mostPages))
    }
}
