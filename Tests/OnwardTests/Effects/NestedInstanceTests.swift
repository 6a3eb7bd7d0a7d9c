// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import OnwardCore
@testable import OnwardEffects
@testable import TestSupport

private struct Kid: Identifiable, Sendable, Equatable { var id: Int }

private struct Item: Identifiable, Sendable, Equatable {
    var id: Int
    var isOpen = false
    var kid: Kid?
}

private struct Box: Identifiable, Sendable, Equatable {
    var id: Int
    var rows: EntityTable<Item> = []
    var plain: [Item] = []
}

private enum Phase: Sendable, Equatable {
    case empty
    case room(Box)

    var room: Box? {
        get { if case .room(let box) = self { box } else { nil } }
        set { if let newValue { self = .room(newValue) } }
    }
}

private struct House: Sendable, Equatable {
    var table: EntityTable<Box> = []
    var opt: Box?
    var phase = Phase.empty
    var other = 0
}

private enum HouseAction: Action {
    case edit(Edit)
    case other
}

private enum ItemAction: Action { case start, touch }
private enum KidAction: Action { case start }

/// Which box an edit is for.
private enum BoxPlace: Sendable, Hashable {
    case row(Int)
    case opt
    case room

    var address: String {
        switch self {
        case .row(let id): "table/#\(id)"
        case .opt: "opt"
        case .room: "phase/room"
        }
    }

    func box(in house: House) -> Box? {
        switch self {
        case .row(let id): house.table[id: id]
        case .opt: house.opt
        case .room: house.phase.room
        }
    }
}

private enum Edit: Sendable {
    case put(BoxPlace, Box?)
    /// Takes a box out of the table and puts another one with its id in.
    case replaceBox(Int)
    case append(BoxPlace, Int, plain: Bool)
    case remove(BoxPlace, Int, plain: Bool)
    case replace(BoxPlace, Int, plain: Bool)
    case toggle(BoxPlace, Int, plain: Bool)
    case setKid(BoxPlace, Int, Kid?, plain: Bool)
    case move(BoxPlace, Int)
    case rename(BoxPlace, Int, to: Int)
    case renameBox(Int, to: Int)
    case reassign(BoxPlace)
    case clear(BoxPlace)

    func apply(to house: inout House) {
        switch self {
        case .put(.row(let id), let box): house.table[id: id] = box
        case .put(.opt, let box): house.opt = box
        case .put(.room, let box): house.phase = box.map { .room($0) } ?? .empty
        case .replaceBox(let id):
            if let box = house.table.remove(id: id) { house.table.append(box) }
        case .append(let place, let id, let plain):
            change(place, &house) { box in
                if !plain {
                    box.rows.append(Item(id: id, isOpen: true))
                } else if !box.plain.contains(where: { $0.id == id }) {
                    box.plain.append(Item(id: id, isOpen: true))
                }
            }
        case .remove(let place, let id, let plain):
            change(place, &house) { box in
                if plain { box.plain.removeAll { $0.id == id } } else { box.rows.remove(id: id) }
            }
        case .replace(let place, let id, let plain):
            change(place, &house) { box in
                if plain {
                    guard let at = box.plain.firstIndex(where: { $0.id == id }) else { return }
                    box.plain.append(box.plain.remove(at: at))
                } else if let item = box.rows.remove(id: id) {
                    box.rows.append(item)
                }
            }
        case .toggle(let place, let id, let plain):
            change(place, id, plain, &house) { $0.isOpen.toggle() }
        case .setKid(let place, let id, let kid, let plain):
            change(place, id, plain, &house) { $0.kid = kid }
        case .move(let place, let id):
            change(place, &house) { box in _ = box.rows.move(id: id, to: 0) }
        case .rename(let place, let id, let new):
            change(place, &house) { box in
                guard var item = box.rows[id: id] else { return }
                item.id = new
                box.rows.rename(id: id, to: item)
            }
        case .renameBox(let id, let new):
            guard var box = house.table[id: id] else { return }
            box.id = new
            house.table.rename(id: id, to: box)
        case .reassign(let place):
            change(place, &house) { box in
                box.rows = (try? EntityTable(Array(box.rows))) ?? []
            }
        case .clear(let place): change(place, &house) { $0.rows.removeAll() }
        }
    }

    private func change(_ place: BoxPlace, _ house: inout House, _ body: (inout Box) -> Void) {
        switch place {
        case .row(let id): house.table.update(id: id, body)
        case .opt:
            guard var box = house.opt else { return }
            body(&box)
            house.opt = box
        case .room:
            guard var box = house.phase.room else { return }
            house.phase = .empty
            body(&box)
            house.phase = .room(box)
        }
    }

    private func change(
        _ place: BoxPlace, _ id: Int, _ plain: Bool, _ house: inout House,
        _ body: (inout Item) -> Void
    ) {
        change(place, &house) { box in
            if plain {
                box.plain.update(id: id, body)
            } else {
                box.rows.update(id: id, body)
            }
        }
    }

    /// The addresses of the rows that the edit takes out of tables, whether or not they come back.
    func departures(from house: House) -> [String] {
        switch self {
        case .put(.row(let id), nil), .replaceBox(let id): return ["table/#\(id)"]
        case .remove(let place, let id, false), .replace(let place, let id, false):
            return ["\(place.address)/rows/#\(id)"]
        case .clear(let place):
            return (place.box(in: house)?.rows ?? []).map { "\(place.address)/rows/#\($0.id)" }
        default: return []
        }
    }

    /// The address of the row that the edit gives another id, before and after; nil for none.
    func move(in house: House) -> (from: String, to: String)? {
        switch self {
        case .rename(let place, let id, let new):
            guard let rows = place.box(in: house)?.rows, rows[id: id] != nil, rows[id: new] == nil
            else { return nil }
            return ("\(place.address)/rows/#\(id)", "\(place.address)/rows/#\(new)")
        case .renameBox(let id, let new):
            guard house.table[id: id] != nil, house.table[id: new] == nil else { return nil }
            return ("table/#\(id)", "table/#\(new)")
        default: return nil
        }
    }

    var renames: Bool {
        switch self {
        case .rename, .renameBox: true
        default: false
        }
    }

    /// Whether a table comes whose log does not lead back to the one before.
    var isWhole: Bool {
        switch self {
        case .reassign, .put(_, .some): true
        default: false
        }
    }
}

/// Effects of instances at every depth, after random edits, beside a model that looks at
/// everything each time.
@Suite(.timeLimit(.minutes(5))) struct NestedInstanceTests {
    private func makeStore(_ house: House = House()) -> Store<House> {
        @Sendable func forever() async {
            let nothing = AsyncStream<Int> { _ in }
            for await _ in nothing {}
        }
        let kid = Feature<Kid> {
            OnAction { (action: KidAction, _) -> Effect in .run { await forever() } }
        }
        let item = Feature<Item> {
            Reduce { (item: inout Item, action: ItemAction) in
                if case .touch = action { item.isOpen = item.isOpen }
            }
            OnAction { (action: ItemAction, _) -> Effect in
                if case .start = action { .run { await forever() } } else { .none }
            }
            While(\.isOpen) { _, _ in await forever() }
            Scope(\.kid, kid)
        }
        let box = Feature<Box> {
            Scope(each: \.rows, item)
            Scope(each: \.plain, item)
        }
        return Store(house) {
            Reduce { (house: inout House, action: HouseAction) in
                switch action {
                case .edit(let edit): edit.apply(to: &house)
                case .other: house.other += 1
                }
            }
            Scope(each: \.table, box)
            Scope(\.opt, box)
            Scope(\.phase) { Scope(\.room, name: "room", box) }
        }
    }

    /// Every instance that has a feature, by its address: what tells it from another one there, and
    /// whether its `While` lives.
    private func instances(in house: House) -> [String: (identity: String, isOpen: Bool)] {
        var all: [String: (identity: String, isOpen: Bool)] = [:]
        func add(_ box: Box, _ address: String, _ identity: String) {
            let items =
                box.rows.map { ("rows", $0) } + box.plain.map { ("plain", $0) }
            for (name, item) in items {
                let address = "\(address)/\(name)/#\(item.id)"
                all[address] = (identity, item.isOpen)
                if let kid = item.kid {
                    all["\(address)/kid"] = ("\(identity) kid \(kid.id)", false)
                }
            }
        }
        for box in house.table { add(box, "table/#\(box.id)", "") }
        if let box = house.opt { add(box, "opt", "opt \(box.id)") }
        if let box = house.phase.room { add(box, "phase/room", "room \(box.id)") }
        return all
    }

    private func randomEdit(_ random: inout SeededGenerator) -> Edit {
        let id = Int.random(in: 0..<4, using: &random)
        let place: BoxPlace =
            switch Int.random(in: 0..<4, using: &random) {
            case 0: .opt
            case 1: .room
            default: .row(Int.random(in: 0..<2, using: &random))
            }
        let plain = Int.random(in: 0..<3, using: &random) == 0
        func kid() -> Kid? { [nil, Kid(id: 1), Kid(id: 2)].randomElement(using: &random) ?? nil }
        switch Int.random(in: 0..<28, using: &random) {
        case 0: return .put(place, nil)
        case 1, 2:
            let boxID = if case .row(let id) = place { id } else { id % 2 }
            let items = (0..<id).map { Item(id: $0, isOpen: true, kid: kid()) }
            return .put(
                place,
                Box(id: boxID, rows: (try? EntityTable(items)) ?? [], plain: Array(items.prefix(2)))
            )
        case 3: return .replaceBox(id % 2)
        case 4...10: return .append(place, id, plain: plain)
        case 11, 12: return .remove(place, id, plain: plain)
        case 13, 14: return .replace(place, id, plain: plain)
        case 15...17: return .toggle(place, id, plain: plain)
        case 18...20: return .setKid(place, id, kid(), plain: plain)
        case 21: return .move(place, id)
        case 22: return .reassign(place)
        case 23...25: return .rename(place, id, to: Int.random(in: 0..<5, using: &random))
        case 26: return .renameBox(id % 2, to: (id + 1) % 2)
        default: return .clear(place)
        }
    }

    @Test(arguments: 1...12)
    func `effects live exactly as long as their instances, wherever these are`(seed: UInt64) async {
        var random = SeededGenerator(seed: seed)
        let store = makeStore()
        /// What the model knows of an instance at an address.
        struct Known {
            let identity: String
            let number: Int
            var whileEffect: UInt64?
            var actionEffects: Set<UInt64> = []
        }
        var model: [String: Known] = [:]
        var numbers = 0
        func commit(_ edit: Edit) {
            let departures = edit.departures(from: store.state)
            if let (from, to) = edit.move(in: store.state) {
                for (address, known) in model
                where address == from || address.hasPrefix(from + "/") {
                    model[address] = nil
                    model[to + address.dropFirst(from.count)] = known
                }
            }
            store.dispatch(HouseAction.edit(edit))
            let present = instances(in: store.state)
            for (address, known) in model {
                let isOther =
                    present[address]?.identity != known.identity
                    || departures.contains { address == $0 || address.hasPrefix($0 + "/") }
                if isOther { model[address] = nil }
            }
            for (address, instance) in present where model[address] == nil {
                numbers += 1
                model[address] = Known(identity: instance.identity, number: numbers)
            }
        }
        func check(_ step: Int) {
            let running = store.diagnostics.runningEffects.filter { $0.phase == .running }
            let whiles = Dictionary(
                running.filter { $0.kind == .state }.map { ($0.address.description, $0.number) },
                uniquingKeysWith: { first, _ in
                    Issue.record("Two effects of one While, seed \(seed), step \(step)")
                    return first
                })
            let present = instances(in: store.state)
            #expect(Set(whiles.keys) == Set(present.filter(\.value.isOpen).keys), "step \(step)")
            let actions = Dictionary(
                grouping: running.filter { $0.kind == .action }, by: \.address.description
            ).mapValues { Set($0.map(\.number)) }
            for (address, known) in model {
                if let last = known.whileEffect, present[address]?.isOpen == true {
                    #expect(whiles[address] == last, "\(address), seed \(seed), step \(step)")
                }
                model[address]?.whileEffect = whiles[address]
                #expect(
                    actions[address, default: []] == known.actionEffects,
                    "\(address), seed \(seed), step \(step)")
            }
            #expect(Set(actions.keys).subtracting(model.keys).isEmpty, "step \(step)")
        }
        var used: [UInt64: Int] = [:]
        for step in 0..<100 {
            if Int.random(in: 0..<4, using: &random) == 0 {
                let edits = (0..<3).map { _ in randomEdit(&random) }
                let before = store.state
                store.batch { for edit in edits { commit(edit) } }
                // A While that lived on through the batch is that of an instance that did. It
                // does not follow renames through a table that has lost its log.
                let hasRenamed = edits.contains { $0.renames }
                if hasRenamed, before != store.state, edits.contains(where: \.isWhole) {
                    for address in model.keys { model[address]?.whileEffect = nil }
                }
            } else {
                commit(randomEdit(&random))
            }
            if let address = model.keys.sorted().randomElement(using: &random),
                let target = Address(address)
            {
                let before = Set(store.diagnostics.runningEffects.map(\.number))
                if address.hasSuffix("kid") {
                    store.dispatch(KidAction.start, to: target)
                } else {
                    store.dispatch(ItemAction.start, to: target)
                }
                let new = store.diagnostics.runningEffects.filter {
                    !before.contains($0.number) && $0.kind == .action
                }
                #expect(new.count == 1, "\(address), seed \(seed), step \(step)")
                model[address]?.actionEffects.formUnion(new.map(\.number))
            }
            check(step)
            for known in model.values {
                guard let effect = known.whileEffect else { continue }
                #expect(used[effect, default: known.number] == known.number, "step \(step)")
                used[effect] = known.number
            }
        }
        await store.shutdown()
        #expect(
            store.engine.withLock {
                store.engine.attachment(EffectRunner.self, $0).lifetimes.isEmpty
            })
    }

    /// How many values an action's commit looks at for effects.
    private func visits(_ store: Store<House>, _ body: () -> Void) -> Int {
        func count() -> Int {
            store.engine.withLock {
                store.engine.attachment(EffectRunner.self, $0).visits($0)
            }
        }
        let before = count()
        body()
        return count() - before
    }

    @Test(arguments: [BoxPlace.row(0), .opt, .room])
    fileprivate func `a commit looks at what it changed, however many rows there are`(
        place: BoxPlace
    ) async throws {
        func cost(_ count: Int) async throws -> (one: Int, elsewhere: Int) {
            let items = (0..<count).map { Item(id: $0, isOpen: true) }
            var house = House()
            Edit.put(place, Box(id: 0, rows: try EntityTable(items))).apply(to: &house)
            let store = makeStore(house)
            #expect(store.diagnostics.runningEffects.count == count)
            let row = try #require(Address("\(place.address)/rows/#1"))
            let one = visits(store) { store.dispatch(ItemAction.touch, to: row) }
            let elsewhere = visits(store) {
                store.dispatch(HouseAction.edit(.toggle(.row(1), 0, plain: false)))
            }
            await store.shutdown()
            return (one, elsewhere)
        }
        let (few, many) = (try await cost(10), try await cost(1_000))
        #expect(many == few)
        #expect(many.one <= 30)
    }
}
