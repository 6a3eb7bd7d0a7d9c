// SPDX-License-Identifier: MIT
#if Server

import Mustache
import Onward
import OnwardServer

/// A card table: rounds and turns to expect, a text from outside to escape, a clock that ticks.
struct Table: Codable, Equatable, Sendable {
    var round = 1
    var turn = 1
    var plays: [String] = []
    var stake = 0
    var text = ""
    var ticks = 0
    var hasNote = false
}

enum TableAction: Action, Codable, Equatable {
    case play(card: String)
    case bet(amount: Int, blind: Bool)
    case say(String)
    case note(Bool)
    case tick
}

/// Handled by the store, but not accepted by the page.
struct SecretAction: Action, Codable {}

/// Accepted by the page, but handled by no reducer.
struct OrphanAction: Action, Codable {}

extension Table {
    static let rules = Feature<Table> {
        Reduce { (table: inout Table, action: TableAction) in table.apply(action) }
        Reduce { (table: inout Table, _: SecretAction) in table.text = "secret" }
    }

    static func store(_ table: Table? = nil) -> Store<Table> {
        Store(table ?? Table()) { rules }
    }

    mutating func apply(_ action: TableAction) {
        switch action {
        case .play(let card):
            plays.append(card)
            turn += 1
        case .bet(let amount, _): stake += amount
        case .say(let text): self.text = text
        case .note(let shows): hasNote = shows
        case .tick: ticks += 1
        }
    }

    static func page(layout: String? = nil, padding: String = "") throws -> Page<Table> {
        var library = MustacheLibrary()
        try library.register("<ol>{{#cards}}<li>{{.}}</li>{{/cards}}</ol>", named: "plays")
        try library.register("<p title=\"{{text}}\">{{text}}</p>", named: "text")
        try library.register("<time>{{ticks}}</time>\(padding)", named: "clock")
        try library.register("<aside>A note</aside>", named: "note")
        try library.register(
            """
            <form method="post" data-action>
            {{> onward/form}}
            <input type="hidden" name="type" value="TableAction/play">
            <button name="card" value="ace" data-shortcut="a">Ace</button>
            </form>
            """, named: "hand")
        if let layout { try library.register(layout, named: "layout") }
        return try Page(
            title: "Cards & dice", templates: library,
            accepts: [TableAction.self, OrphanAction.self],
            expects: { "round \($0.round) turn \($0.turn)" }
        ) { table in
            [
                Fragment("plays", model: Plays(cards: table.plays)),
                Fragment("hand", model: Hand()),
                Fragment("text", model: Said(text: table.text)),
                Fragment("clock", model: Clock(ticks: table.ticks)),
            ] + (table.hasNote ? [Fragment("note", model: Hand())] : [])
        }
    }

    private struct Plays: Equatable { let cards: [String] }
    private struct Hand: Equatable {}
    private struct Said: Equatable { let text: String }
    private struct Clock: Equatable { let ticks: Int }
}
#endif
