// SPDX-License-Identifier: MIT

import Onward

@testable import OnwardSync

/// A state of a few accounts, in which the order of all actions leaves a trace.
struct Toy: Equatable, Sendable {
    var accounts = [0, 0, 0, 0]
    /// Differs if any action is left out, done twice or in another order.
    var trace: UInt64 = 7

    private mutating func trace(_ value: Int) {
        trace = (trace ^ UInt64(bitPattern: Int64(value))) &* 0x100_0000_01B3
    }

    /// Whether a check lets an action through.
    func allows(_ action: ToyAction) -> Bool {
        switch action {
        case .take(let amount, let account): accounts[account] >= amount
        case .put, .double, .date: true
        }
    }

    mutating func reduce(_ action: ToyAction) {
        switch action {
        case .put(let amount, let account):
            accounts[account] += amount
            trace(amount &* 4 + account)
        case .take(let amount, let account):
            accounts[account] -= amount
            trace(amount &* 4 + account + 1_000_000)
        case .double(let account):
            accounts[account] = accounts[account] * 2 % 1_000
            trace(account + 2_000_000)
        case .date(let moment):
            accounts[0] = moment % 100
            trace(moment + 3_000_000)
        }
    }
}

// What clients with a view of a part see: the last account, and of the others those whose balance suits the
// reader. So rights come and go with every action.
extension Toy {
    static let readers = ["a", "b", "c"]

    /// Who may see an account; nil for everybody.
    func readers(of account: Int) -> Set<String>? {
        guard account < 3 else { return nil }
        return Set(
            Self.readers.enumerated().filter { (accounts[account] + $0.offset) % 3 != 0 }.map(
                \.element))
    }

    /// Whether somebody may see an account.
    func shows(_ account: Int, to reader: String?) -> Bool {
        readers(of: account).map { readers in reader.map { readers.contains($0) } ?? false } ?? true
    }

    /// What a client of a reader should have.
    func view(for reader: String?) -> Toy {
        var view = Toy()
        for account in 0..<4 where shows(account, to: reader) {
            view.accounts[account] = accounts[account]
        }
        return view
    }

    func change(_ account: Int) -> SyncChange {
        SyncChange(
            part: account < 3 ? "accounts" : "last", row: account < 3 ? [UInt8(account)] : nil,
            value: Array("\(accounts[account])".utf8))
    }

    func changes(since older: Toy) -> [ViewChange] {
        func readers(_ toy: Toy, _ account: Int) -> Readers {
            toy.readers(of: account).map { .some($0) } ?? .everybody
        }
        return (0..<4).filter { accounts[$0] != older.accounts[$0] }.map {
            ViewChange(change($0), before: readers(older, $0), after: readers(self, $0))
        }
    }

    /// What has changed along some states, for a client that gets no entries.
    static func changes(along states: ArraySlice<Toy>) -> [SyncChange] {
        guard let last = states.last, states.count > 1 else { return [] }
        let steps = zip(states, states.dropFirst())
        let accounts = (0..<4).filter { account in
            steps.contains { $0.accounts[account] != $1.accounts[account] }
        }
        return accounts.map { last.change($0) }
            + [SyncChange(part: "trace", value: Array("\(last.trace)".utf8))]
    }

    mutating func apply(_ change: SyncChange) {
        let text = change.value.map { String(decoding: $0, as: UTF8.self) }
        guard change.part != "trace" else {
            trace = text.flatMap { UInt64($0) } ?? 0
            return
        }
        let value = text.flatMap { Int($0) }
        accounts[change.account] = value ?? 0
    }
}

extension SyncChange {
    var account: Int { row.map { Int($0[0]) } ?? 3 }
}

enum ToyAction: Equatable, Sendable {
    case put(Int, Int)
    case take(Int, Int)
    case double(Int)
    case date(Int)

    /// The action as bytes.
    var written: SyncAction {
        let fields: [Int] =
            switch self {
            case .put(let amount, let account): [0, amount, account]
            case .take(let amount, let account): [1, amount, account]
            case .double(let account): [2, account, 0]
            case .date(let moment): [3, moment, 0]
            }
        return SyncAction(
            name: "Toy", payload: Array(fields.map(String.init).joined(separator: " ").utf8))
    }

    init?(_ written: SyncAction) {
        let fields = String(decoding: written.payload, as: UTF8.self).split(separator: " ")
            .compactMap { Int($0) }
        guard fields.count == 3 else { return nil }
        switch fields[0] {
        case 0: self = .put(fields[1], fields[2])
        case 1: self = .take(fields[1], fields[2])
        case 2: self = .double(fields[1])
        case 3: self = .date(fields[1])
        default: return nil
        }
    }

    /// What a server makes of it, whose clock says what `date` writes.
    func confirmed(at time: Timestamp?) -> ToyAction {
        guard case .date = self, let time else { return self }
        return .date(Int(time.nanosecondsSince1970))
    }
}

struct ToyFeatures: SyncFeatures {
    /// Whether clients see a part of the state.
    var isPartial = false

    func read(_ action: SyncAction) -> ToyAction? { ToyAction(action) }

    func decide(_ action: ToyAction, on state: inout Toy) -> Bool {
        guard state.allows(action) else { return false }
        state.reduce(action)
        return true
    }

    func reduce(_ action: ToyAction, into state: inout Toy) { state.reduce(action) }

    func confirmed(_ action: ToyAction, time: Timestamp?, author: String?) -> ToyAction {
        action.confirmed(at: time)
    }

    func dependsOnStamp(_ action: ToyAction) -> Bool {
        if case .date = action { true } else { false }
    }

    /// As the text of a field while it is edited.
    func replaces(_ action: ToyAction, _ earlier: ToyAction) -> Bool {
        switch (action, earlier) {
        case (.date, .date): true
        case (.put(_, let account), .put(_, let other)): account == other
        default: false
        }
    }

    func state(of bytes: [UInt8], schema: Int) -> Toy? {
        let numbers = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        guard numbers.count == 5, let trace = UInt64(numbers[4]) else { return nil }
        return Toy(accounts: numbers.prefix(4).compactMap { Int($0) }, trace: trace)
    }

    func apply(_ changes: [SyncChange], to state: inout Toy) -> Bool {
        for change in changes { state.apply(change) }
        return true
    }

    func bytes(of state: Toy) -> [UInt8] {
        let accounts = state.accounts.map(String.init)
        return Array((accounts + ["\(state.trace)"]).joined(separator: " ").utf8)
    }
}
