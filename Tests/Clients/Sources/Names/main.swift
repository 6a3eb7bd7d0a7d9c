// SPDX-License-Identifier: MIT

// Prints what a journal says of actions and places: it must be the same however the program is compiled. Compiled several
// times, see Package.swift; what is printed is compared by scripts/test-clients.

import Onward
import OnwardJournal

struct Line: Codable, Equatable, Identifiable, Sendable {
    let id: Int
    var title = ""
}

struct Basket: Codable, Equatable, Sendable {
    var total = 0
    var lines: EntityTable<Line> = [Line(id: 7)]
}

enum Shop {
    struct State: Codable, Equatable, Sendable {
        var basket = Basket()
        var gift: Basket? = Basket()
    }

    enum Change: Action, Codable {
        case add(price: Int)
        case clear
    }
}

struct Rename<Value: Codable & Sendable>: Action, Codable { var title: Value }

let basket = Feature<Basket> {
    Reduce { (basket, change: Shop.Change) in
        switch change {
        case .add(let price): basket.total += price
        case .clear: basket.total = 0
        }
    }
    Scope(each: \.lines) {
        Reduce { (line: inout Line, rename: Rename<String>) in line.title = rename.title }
    }
}

let journal = MemoryJournal()
do {
    let shop = try await Persistence(
        of: Shop.State(), in: journal,
        storeOptions: StoreOptions(onProgrammerError: { _ in })
    ) {
        Scope(\.basket, basket)
        Scope(\.gift, basket)
    }
    try await shop.dispatch(Shop.Change.add(price: 3), to: .child(\.basket))
    try await shop.dispatch(Shop.Change.clear, to: .child(\.gift, then: nil))
    try await shop.dispatch(
        Rename(title: "plums"), to: .child(\.basket, then: .row(\.lines, id: 7)))
    for entry in try journal.entries(from: 1, limit: 10) {
        print(entry.name, entry.address, String(decoding: entry.payload, as: UTF8.self))
    }
    try await shop.shutdown()
} catch {
    print("refused:", error)
}
