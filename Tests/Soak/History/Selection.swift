// SPDX-License-Identifier: MIT

import Onward

/// A way to read the world through a store, and what it gives for a world.
enum Selection: Sendable, Hashable {
    case x, y, z
    /// Selected by a closure; skips what it makes equal.
    case half
    /// Skips what differs by less than 3.
    case near
    /// A computed property whose values are objects.
    case model
    case sum
    case family(Int)
    case view
    case rowCount
    case left, leftStore, rightStore
    case desk
    case sheet, sheetStore, sheetUnwrapped
    case row(Int), rowStore(Int), rowUnwrapped(Int), rowTitle(Int), rowNear(Int)

    static let all: [(Int, Selection)] = [
        (8, .x), (4, .y), (1, .z), (6, .half), (3, .near), (4, .model), (3, .sum), (2, .family(1)),
        (3, .view), (2, .rowCount), (2, .left), (2, .leftStore), (1, .rightStore), (1, .desk),
        (2, .sheet),
        (3, .sheetStore), (3, .sheetUnwrapped), (2, .row(1)), (2, .row(2)), (2, .rowStore(1)),
        (2, .rowUnwrapped(2)), (2, .rowTitle(1)), (3, .rowNear(1)),
    ]

    /// The selections whose values are recorded for each version.
    static let tracked = all.map(\.1)

    /// Absent is -1.
    func value(in world: World) -> Int {
        switch self {
        case .x: world.x
        case .y: world.y
        case .z: world.z
        case .half: world.x / 2
        case .near: world.x
        case .model: world.x
        case .sum: world.x &+ 1_000 &* world.y
        case .family(let factor): world.x &* factor
        case .view: Self.viewed(world.rows)
        case .rowCount: world.rows.count
        case .left, .leftStore: world.left.n
        case .rightStore: world.right.n
        case .desk: world.desk.number
        case .sheet, .sheetStore, .sheetUnwrapped: world.sheet?.n ?? -1
        case .row(let id): world.rows[id: id].map(\.number) ?? -1
        case .rowStore(let id), .rowUnwrapped(let id), .rowNear(let id):
            world.rows[id: id]?.n ?? -1
        case .rowTitle(let id): world.rows[id: id]?.title.text ?? -1
        }
    }

    /// The rows of the view, folded into a number.
    static func viewed(_ rows: EntityTable<Row>) -> Int {
        rows.reduce(0) { $1.open ? ($0 &* 31 &+ $1.id &* 10 &+ $1.number) : $0 } & 0xFFFF_FFFF
    }

    /// Whether a subscriber of it that knows one value need not be notified of another.
    func isSame(_ old: Int, _ new: Int) -> Bool {
        switch self {
        case .near, .rowNear: abs(old - new) < 3
        default: old == new
        }
    }

    /// Whether a store of it goes on showing its last value when there is none any more.
    var remembersLast: Bool {
        switch self {
        case .sheetUnwrapped, .rowUnwrapped, .rowTitle: true
        default: false
        }
    }

    /// Whether it is subscribed to by a key path, which an actor can do.
    var isByPath: Bool {
        switch self {
        case .half, .near, .rowNear, .row: false
        default: true
        }
    }
}
