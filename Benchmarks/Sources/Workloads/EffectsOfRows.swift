// SPDX-License-Identifier: MIT

import Dispatch
import Onward
import Synchronization

/// A row that keeps an effect as long as it is there.
private struct Lamp: Identifiable, Sendable {
    let id: Int
    var count = 0
}

private struct Room: Identifiable, Sendable {
    let id: Int
    var lamps: EntityTable<Lamp> = []
}

private enum Floor: Sendable {
    case closed
    case open(EntityTable<Room>)

    var rooms: EntityTable<Room>? {
        get { if case .open(let rooms) = self { rooms } else { nil } }
        set { if let newValue { self = .open(newValue) } }
    }
}

private struct House: Sendable {
    var root = Room(id: 0)
    var optional: Room?
    var floor = Floor.closed
}

private enum LampAction: Action { case count }

/// Where the table of the rows with effects lies.
enum LampPlace: Sendable {
    case root
    case optional
    /// In a row of a table that is a case of an enum.
    case rowOfCase

    fileprivate var address: Address? {
        switch self {
        case .root: Address("root/lamps/#7")
        case .optional: Address("optional/lamps/#7")
        case .rowOfCase: Address("floor/rooms/rooms/#1/lamps/#7")
        }
    }
}

extension Workload {
    /// F1 to F3: an action for one row of a table in which each row keeps an effect.
    static func rowWithEffect(_ name: String, _ count: Int, _ place: LampPlace) -> Workload {
        Workload(
            name, "one of \(count) rows that each keep an effect, \(place)",
            budget: "≤ 2 × F1"
        ) {
            let started = Arrivals(count)
            let lamp = Feature<Lamp> {
                Reduce { (lamp: inout Lamp, _: LampAction) in lamp.count += 1 }
                While.present { _ in
                    started.one()
                    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
                }
            }
            let room = Feature<Room> { Scope(each: \.lamps, lamp) }
            var house = House()
            let lamps = (try? EntityTable((0..<count).map { Lamp(id: $0) })) ?? []
            switch place {
            case .root: house.root.lamps = lamps
            case .optional: house.optional = Room(id: 0, lamps: lamps)
            case .rowOfCase: house.floor = .open([Room(id: 0), Room(id: 1, lamps: lamps)])
            }
            let store = Store(house) {
                Scope(\.root, room)
                Scope(\.optional, room)
                Scope(\.floor) {
                    Scope(\.rooms, name: "rooms") { Scope(each: \.self, name: "rooms", room) }
                }
            }
            started.wait()
            let address = place.address ?? .root
            return { count in
                for _ in 0..<count { store.dispatch(LampAction.count, to: address) }
            }
        }
    }

    /// F4: an action for a row that has many effects, and starts none.
    static func rowWithManyEffects(_ name: String, _ count: Int) -> Workload {
        enum Start: Action { case one }
        return Workload(
            name, "a row with \(count) effects of actions", budget: "≤ 2 × that with one"
        ) {
            let started = Arrivals(count)
            let store = Store(House(root: Room(id: 0, lamps: [Lamp(id: 7)]))) {
                Scope(\.root) {
                    Scope(each: \.lamps) {
                        Reduce { (lamp: inout Lamp, _: LampAction) in lamp.count += 1 }
                        OnAction { (_: LampAction, _) -> Effect in .none }
                        OnAction { (_: Start, _) -> Effect in
                            .run {
                                started.one()
                                await withUnsafeContinuation {
                                    (_: UnsafeContinuation<Void, Never>) in
                                }
                            }
                        }
                    }
                }
            }
            let address = LampPlace.root.address ?? .root
            for _ in 0..<count { store.dispatch(Start.one, to: address) }
            started.wait()
            return { count in
                for _ in 0..<count { store.dispatch(LampAction.count, to: address) }
            }
        }
    }

    static let effectsOfRows = [
        rowWithEffect("F1", 100, .root), rowWithEffect("F1-10k", 10_000, .root),
        rowWithEffect("F2-10k", 10_000, .optional), rowWithEffect("F3-10k", 10_000, .rowOfCase),
        rowWithEffect("F2-100k", 100_000, .optional),
        rowWithEffect("F3-100k", 100_000, .rowOfCase),
        rowWithManyEffects("F4-1", 1), rowWithManyEffects("F4", 4_000),
    ]
}

/// Waits until a number of effects have begun.
private final class Arrivals: Sendable {
    private let left: Atomic<Int>
    private let areAllThere = DispatchSemaphore(value: 0)

    init(_ count: Int) { left = Atomic(count) }

    /// Says that one has begun.
    func one() {
        if left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { areAllThere.signal() }
    }

    func wait() { areAllThere.wait() }
}
