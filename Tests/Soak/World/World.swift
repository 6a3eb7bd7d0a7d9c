// SPDX-License-Identifier: MIT

import Onward

/// The state of a history's store: a little of everything that a state can be made of.
struct World: Sendable {
    var x = 0
    var y = 0
    var z = 0
    var live = false
    var topic: Int?
    var left = Panel(birth: 0)
    var right = Panel(birth: 0)
    var sheet: Panel?
    var desk = Desk()
    var rows: EntityTable<Row> = [Row(id: 1, birth: 0), Row(id: 2, birth: 0), Row(id: 3, birth: 0)]
    var odd: EntityTable<OddRow> = []
    var farewell: Farewell?
    /// Which features reduced last.
    var features = 0
    /// How many instances were made so far.
    var births = 0

    /// An object that each reading makes anew, and that uses the store when it is released.
    var model: Model { Model(x) }

    subscript(field: Field) -> Int {
        get {
            switch field {
            case .x: x
            case .y: y
            case .z: z
            }
        }
        set {
            switch field {
            case .x: x = newValue
            case .y: y = newValue
            case .z: z = newValue
            }
        }
    }
}

/// A stored number of the world.
enum Field: Sendable, CaseIterable { case x, y, z }

/// A slice: twice beside each other, once optional.
struct Panel: Equatable, Sendable {
    let birth: Int
    var n = 0
    var live = false
}

/// A row; another one of the same id has another birth.
struct Row: Identifiable, Equatable, Sendable {
    let id: Int
    let birth: Int
    var n = 0
    var title = Title()
    var open = false

    /// All of it in a number.
    var number: Int { birth * 100_000 + (open ? 10_000 : 0) + title.text * 100 + n }

    /// A slice of a row.
    struct Title: Equatable, Sendable { var text = 0 }
}

/// What the world's features handle at the root.
enum Deed: Action, Hashable {
    case bump(Field)
    case set(Field, Int)
    case live(Bool)
    case topic(Int?)
    case addRow(Int)
    case removeRow(Int)
    case replaceRow(Int)
    case moveRow(Int)
    case bumpRow(Int)
    case openSheet
    case closeSheet
    case keep(Farewell.Farewell?)
    case start(EffectPlan)
    case answer(Int)
}

/// What the feature of a panel handles.
enum PanelDeed: Action, Hashable {
    case bump
    case live(Bool)
    case start(EffectPlan)
    case answer(Int)
}

/// What the feature of a row handles.
enum RowDeed: Action, Hashable {
    case bump
    case retitle(Int)
    case open(Bool)
    case start(EffectPlan)
    case answer(Int)
}
