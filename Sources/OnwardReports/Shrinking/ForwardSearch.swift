// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal

/// Looks for a short list with a fault from its beginning, with few different actions.
///
/// Where values depend on one another over a whole log, taking entries out one by one leads nowhere: an order that
/// spends what a thousand vouchers were worth is refused as soon as one of them is missing. So the same actions are
/// tried with values as plain as can be. Of these there are few, and of the states to which they lead within some
/// steps, too: each is visited once, nearer ones first. The list that is found is a part of the log in its order,
/// with simpler values, and no shorter one with these values exists.
struct ForwardSearch<State: Codable & Sendable> {
    let start: State
    let store: Store<State>
    let fault: (State) -> Bool
    let codec: ActionCodec

    /// How much of the values is kept.
    enum Values: CaseIterable {
        /// Numbers are 1, texts and lists are empty.
        case plain
        /// Numbers are 1.
        case named
        case unchanged

        /// What is tried for a payload, until one can be read.
        func payloads(for payload: DataValue) -> [DataValue] {
            switch self {
            // A text may be the name of a case.
            case .plain: [payload.plain, payload.named]
            case .named: [payload.named]
            case .unchanged: []
            }
        }
    }

    /// The most different actions that are tried; with more of them nothing is found in time.
    private static var mostActions: Int { 64 }
    /// Of how many of a kind the newest are tried where all would be too many: what led to the fault is near the end.
    private static var mostOfKind: Int { 8 }

    /// An action, and where in the log it stands.
    private struct Choice {
        let action: any Action
        let record: ActionRecord
        let address: Address
        var places: [Int]

        /// The last place.
        var last: Int { places.last ?? 0 }

        /// The first place from another one on; nil where there is none.
        func place(from start: Int) -> Int? {
            var (low, high) = (0, places.count)
            while low < high {
                let middle = (low + high) / 2
                if places[middle] < start { low = middle + 1 } else { high = middle }
            }
            return low < places.count ? places[low] : nil
        }
    }

    private struct Key: Hashable {
        let record: ActionRecord
        let address: Address
    }

    private struct Kind: Hashable {
        let name: String
        let address: Address
    }

    /// A state, and the step that led to it.
    private struct Node {
        let state: State
        /// How much of the log is behind.
        let end: Int
        /// The node before, and the entry; nil for the start.
        let step: (from: Int, entry: LogEntry)?
    }

    /// A list of fewer entries than the log has; nil where there is none among those that were tried.
    func list(in log: [LogEntry]) -> [LogEntry]? {
        guard log.count > 1 else { return nil }
        var tried: [[ActionRecord]] = []
        for values in Values.allCases {
            guard let choices = choices(in: log, values) else { continue }
            let records = choices.map(\.record)
            // Values that were plain anyway.
            guard !tried.contains(records) else { continue }
            if let found = list(of: choices, in: log) { return found }
            tried.append(records)
        }
        return nil
    }

    /// The different actions of a log, or the newest of each kind; nil where there are too many even so.
    private func choices(in log: [LogEntry], _ values: Values) -> [Choice]? {
        var choices: [Choice] = []
        var known: [Key: Int] = [:]
        // What records are read as; most of them occur often.
        var actions: [ActionRecord: (any Action)?] = [:]
        for (place, entry) in log.enumerated() {
            guard var record = try? codec.record(of: entry.action) else { return nil }
            var action = entry.action
            for payload in values.payloads(for: record.payload) {
                var plain = record
                plain.payload = payload
                let read = actions[plain] ?? (try? codec.action(of: plain))
                actions[plain] = .some(read)
                guard let read else { continue }
                (record, action) = (plain, read)
                break
            }
            let key = Key(record: record, address: entry.address)
            if let index = known[key] {
                choices[index].places.append(place)
            } else {
                known[key] = choices.count
                choices.append(
                    Choice(
                        action: action, record: record, address: entry.address, places: [place]))
            }
        }
        if choices.count > Self.mostActions { choices = newest(of: choices) }
        return choices.count > Self.mostActions ? nil : choices
    }

    /// The newest few of each kind, in their order.
    private func newest(of choices: [Choice]) -> [Choice] {
        var counts: [Kind: Int] = [:]
        let newest = choices.indices.sorted { choices[$0].last > choices[$1].last }
            .filter { index in
                let kind = Kind(name: choices[index].record.name, address: choices[index].address)
                counts[kind, default: 0] += 1
                return counts[kind, default: 0] <= Self.mostOfKind
            }
        return newest.sorted().map { choices[$0] }
    }

    private func list(of choices: [Choice], in log: [LogEntry]) -> [LogEntry]? {
        guard let first = try? DataValue(encoding: start) else { return nil }
        // Each state is encoded.
        var steps = max(10, min(10_000, 1_000_000 / max(first.leaves, 1)))
        var nodes = [Node(state: start, end: 0, step: nil)]
        // How much of the log is behind at least, for each state.
        var ends = [first: 0]
        var level = nodes.indices
        for _ in 1..<log.count {
            for index in level {
                for choice in choices {
                    guard let place = choice.place(from: nodes[index].end) else { continue }
                    guard steps > 0, !Task.isCancelled else { return nil }
                    steps -= 1
                    let entry = log[place].with(choice.action)
                    let state = store.log.replay(CollectionOfOne(entry), from: nodes[index].state)
                    let node = Node(state: state, end: place + 1, step: (index, entry))
                    if fault(state) { return path(to: node, in: nodes) }
                    guard let value = try? DataValue(encoding: state) else { continue }
                    if let end = ends[value], end <= node.end { continue }
                    ends[value] = node.end
                    nodes.append(node)
                }
            }
            level = level.endIndex..<nodes.endIndex
            if level.isEmpty { return nil }
        }
        return nil
    }

    private func path(to node: Node, in nodes: [Node]) -> [LogEntry] {
        var entries: [LogEntry] = []
        var node = node
        while let (from, entry) = node.step {
            entries.append(entry)
            node = nodes[from]
        }
        return entries.reversed()
    }
}

extension DataValue {
    /// How many numbers, texts and other values without parts this has.
    var leaves: Int {
        switch self {
        case .list(let values): values.reduce(1) { $0 + $1.leaves }
        case .object(let fields): fields.values.reduce(1) { $0 + $1.leaves }
        default: 1
        }
    }

    /// The value with numbers that are 1, or 0 where they were, and with empty texts and lists.
    var plain: DataValue {
        switch self {
        case .text: ""
        case .bytes: .bytes([])
        case .list: []
        case .object(let fields): .object(fields.mapValues(\.plain))
        default: named
        }
    }

    /// The value with numbers that are 1, or 0 where they were.
    var named: DataValue {
        switch self {
        case .integer(let number): .integer(number.signum())
        case .unsigned: 1
        case .number(let number): .number(number == 0 ? 0 : 1)
        case .list(let values): .list(values.map(\.named))
        case .object(let fields): .object(fields.mapValues(\.named))
        default: self
        }
    }
}
