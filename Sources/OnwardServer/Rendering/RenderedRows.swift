// SPDX-License-Identifier: MIT
#if Server

import Onward

/// A list's rows, each rendered once for all readers.
struct RenderedRows: Sendable {
    /// The rows in order.
    let rows: [RenderedRow]
    /// The version that last changed a row or the order.
    let changed: CommitVersion
    /// The version that last changed the order: readers that have it lack no more than HTML.
    private let ordered: CommitVersion
    /// What the last change did.
    private let steps: [RowStep]
    /// The version of the previous change: readers that have it lack no more than ``steps``.
    private let before: CommitVersion?
    private let models: any RowModels

    /// Draws the rows whose models changed, and keeps the others.
    ///
    /// - Complexity: O(*n*) comparisons, and one rendering for each row that changed.
    init(
        _ models: any RowModels, template: String, after old: RenderedRows?, writer: TemplateWriter,
        version: CommitVersion
    ) throws(PageError) {
        let origins = old.flatMap { models.origins(in: $0.models) }
        var rows: [RenderedRow] = []
        rows.reserveCapacity(models.count)
        for index in 0..<models.count {
            let origin = origins?[index]
            let drawn = origin?.index.flatMap { old?.rows[$0] }
            if let drawn, origin?.isEqual == true, !writer.isNew {
                rows.append(drawn)
                continue
            }
            let key =
                drawn.flatMap { origin?.isRenamed == true ? nil : $0.key } ?? models.key(at: index)
            let html = try writer.drawRow(
                template, models.model(at: index), key: key, id: models.id(at: index))
            if let drawn, drawn.key == key, drawn.html == html {
                rows.append(drawn)
            } else {
                rows.append(RenderedRow(key: key, html: html, changed: version))
            }
        }
        self.models = models
        self.rows = rows
        guard let old, let origins else {
            try Self.check(rows)
            (changed, ordered, steps, before) = (version, version, [], nil)
            return
        }
        let places = origins.map(\.index)
        let isSameOrder =
            places.elementsEqual(old.rows.indices, by: ==) && !origins.contains(where: \.isRenamed)
        let changedRows = rows.filter { $0.changed == version }
        switch (isSameOrder, changedRows.isEmpty) {
        case (true, true):
            (changed, ordered, steps, before) = (old.changed, old.ordered, old.steps, old.before)
        case (true, false):
            (changed, ordered, before) = (version, old.ordered, old.changed)
            steps = changedRows.map { RowStep($0, isDrawn: true) }
        case (false, _):
            try Self.check(rows)
            (changed, ordered, before) = (version, version, old.changed)
            steps = RowStep.steps(from: old.rows, to: rows, origins: places)
        }
    }

    /// What a reader that has the version `known` lacks; nil if it lacks too much to send.
    func steps(after known: CommitVersion) -> [RowStep]? {
        if let before, known >= before { return steps }
        if known < ordered { return nil }
        return rows.filter { $0.changed > known }.map { RowStep($0, isDrawn: true) }
    }

    private static func check(_ rows: [RenderedRow]) throws(PageError) {
        var keys: Set<String> = []
        for row in rows where !keys.insert(row.key).inserted {
            throw PageError(.duplicateRow, key: row.key)
        }
    }
}

/// One row's HTML.
///
/// An object, so that the lists of two versions share it.
final class RenderedRow: Sendable {
    /// The row's name in the document.
    let key: String
    let html: RenderedHTML
    /// The version that first rendered this HTML.
    let changed: CommitVersion

    init(key: String, html: RenderedHTML, changed: CommitVersion) {
        self.key = key
        self.html = html
        self.changed = changed
    }
}
#endif
