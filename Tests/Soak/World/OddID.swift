// SPDX-License-Identifier: MIT

import Onward

/// An id of rows or effects, and a part of actions, that uses the store wherever it is compared, hashed, described or
/// released.
final class OddID: Sendable, Hashable, CustomStringConvertible {
    let number: Int
    /// Whether it may be hashed and compared under the store's lock, as ids of rows may.
    private let mayBeLocked: Bool

    init(_ number: Int, ofRow isRow: Bool) {
        self.number = number
        mayBeLocked = isRow
    }

    deinit { Stage.current?.meddle("the release of an id") }

    static func == (left: OddID, right: OddID) -> Bool {
        Stage.current?.meddle("the comparison of an id", mayBeLocked: left.mayBeLocked)
        return left.number == right.number
    }

    func hash(into hasher: inout Hasher) {
        Stage.current?.meddle("the hash of an id", mayBeLocked: mayBeLocked)
        hasher.combine(number)
    }

    var description: String {
        Stage.current?.meddle("the description of an id")
        return "\(number)"
    }
}

/// A row whose id uses the store.
struct OddRow: Identifiable, Equatable, Sendable {
    var id: OddID
    let birth: Int
    var n = 0
    var open = false
}

/// What changes the rows whose ids use the store.
enum OddDeed: Action, Hashable, CustomStringConvertible {
    case add(OddID)
    case remove(OddID)
    case replace(OddID)
    case rename(OddID, to: OddID)

    var description: String {
        switch self {
        case .add(let id): "add \(id)"
        case .remove(let id): "remove \(id)"
        case .replace(let id): "replace \(id)"
        case .rename(let id, let new): "rename \(id) to \(new)"
        }
    }

    func reduce(_ world: inout World) {
        switch self {
        case .add(let id):
            world.births += 1
            world.odd.append(OddRow(id: id, birth: world.births))
        case .remove(let id): world.odd.remove(id: id)
        case .replace(let id):
            guard world.odd.remove(id: id) != nil else { return }
            world.births += 1
            world.odd.append(OddRow(id: id, birth: world.births, open: true))
        case .rename(let id, let new):
            guard var row = world.odd[id: id] else { return }
            row.id = new
            world.odd.rename(id: id, to: row)
        }
    }
}

/// What a history does with these rows.
enum OddStep: Sendable, Hashable {
    case add(Int), remove(Int), replace(Int)
    case rename(Int, to: Int)
    case row(Int, RowDeed)
    case subscribe(Int)
    case show
}
