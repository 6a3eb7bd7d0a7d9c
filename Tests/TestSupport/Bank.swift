// SPDX-License-Identifier: MIT

import Onward

/// The app that most tests use.
struct Bank: Equatable, Sendable {
    var balance = 0
    var other = Counter()
    var left = Counter()
    var right = Counter()
    var editor: Counter?
    var rows: [Row] = []
    var doubled: Int {
        get { balance * 2 }
        set { balance = newValue / 2 }
    }
}

struct Counter: Equatable, Sendable {
    var count = 0
}

struct Row: Equatable, Sendable, Identifiable {
    let id: Int
    var count = 0
}

enum BankAction: Action, Equatable {
    case deposit(Int)
    case limit(to: Int)
    case nothing
}

enum CounterAction: Action, Equatable {
    case increment
    case add(Int)
}

struct OtherAction: Action {
    var by = 1
}

let bank = Feature<Bank> {
    Reduce { (bank: inout Bank, action: BankAction) in
        switch action {
        case .deposit(let amount): bank.balance += amount
        case .limit(let limit): bank.balance = min(bank.balance, limit)
        case .nothing: break
        }
    }
}

let counter = Feature<Counter> {
    Reduce { (counter: inout Counter, action: CounterAction) in
        switch action {
        case .increment: counter.count += 1
        case .add(let amount): counter.count += amount
        }
    }
}

let row = Feature<Row> {
    Reduce { (row: inout Row, action: CounterAction) in
        if case .increment = action { row.count += 1 }
    }
}

let other = Feature<Counter> {
    Reduce { (counter: inout Counter, action: OtherAction) in counter.count += action.by }
}

func makeBank(
    _ state: Bank = Bank(), options: StoreOptions = StoreOptions()
) -> Store<Bank> {
    Store(state, options: options) {
        bank
        Scope(\.other, other)
        Scope(\.left, counter)
        Scope(\.right, counter)
        Scope(\.editor, counter)
        Scope(each: \.rows, row)
    }
}
