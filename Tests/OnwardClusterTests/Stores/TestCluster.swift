// SPDX-License-Identifier: MIT

import Onward
import OnwardCluster
import OnwardJournal
import OnwardTesting
import Testing

/// Lines that anybody may add.
struct Ledger: Codable, Sendable, Equatable {
    var lines: [String] = []
    var isOpen = false
}

enum LedgerAction: Action, Codable {
    /// "a+b" becomes two lines; "secret" is withheld; "ring" is answered with an echo; "mail …" begins durable work.
    case add(String)
    case open(Bool)
}

/// Splits lines, and withholds some.
private struct Clerk: Middleware {
    func handle<A: Action>(
        _ action: A, in context: borrowing MiddlewareContext<Ledger>
    ) -> DispatchResult {
        guard case .add(let text)? = action as? LedgerAction else { return context.next(action) }
        var result = DispatchResult.withheld
        for line in text.split(separator: "+") where line != "secret" {
            result = context.next(LedgerAction.add(String(line)))
        }
        return result
    }
}

/// What effects have done, on all nodes.
final class Doings: Sendable {
    private let lines = Guarded<[String]>([])
    /// What durable work does besides; nothing by itself.
    let work = Guarded<@Sendable () async throws -> Void>({})

    var all: [String] { lines.withValue { $0 } }

    func note(_ line: String) { lines.withValue { $0.append(line) } }
}

/// Nodes of one cluster within the test, on a clock that the test moves.
final class TestCluster: Sendable {
    struct Place: Sendable {
        let node: ClusterNode
        let ledger: ClusteredStore<Ledger>
        let running: Task<Void, Never>

        var lines: [String] { ledger.store.state.lines }
        var isOwning: Bool { ledger.status.isOwning }
    }

    let clock = ManualClock()
    private let table: any NodeTable
    let transport = LocalTransport()
    let doings = Doings()
    let journal: any Journal
    private let limits: ClusterLimits
    private let places = Guarded<[Place]>([])

    init(
        _ journal: any Journal = MemoryJournal(), table: any NodeTable = MemoryNodeTable(),
        _ change: (inout ClusterLimits) -> Void = { _ in }
    ) {
        self.journal = journal
        self.table = table
        var limits = ClusterLimits()
        limits.proposal = .seconds(60)
        change(&limits)
        self.limits = limits
    }

    /// Starts a node with the ledger.
    func start(_ name: String, revision: String = "") -> Place {
        let node = ClusterNode(
            NodeID(name), table: table, transport: transport, limits: limits, clock: clock)
        var options = ClusteredStoreOptions()
        options.revision = revision
        let ledger = ClusteredStore(
            of: Ledger(), named: "ledger", in: journal, on: node, options: options,
            storeOptions: StoreOptions(clock: clock, effectError: { _ in })
        ) { [doings] in
            Clerk()
            Reduce { (ledger: inout Ledger, action: LedgerAction) in
                switch action {
                case .add(let line): ledger.lines.append(line)
                case .open(let isOpen): ledger.isOpen = isOpen
                }
            }
            OnAction { (action: LedgerAction, context: EffectContext<Ledger>) -> Effect in
                guard case .add("ring") = action else { return .none }
                return .run {
                    doings.note("ring on \(name)")
                    context.dispatch(LedgerAction.add("echo"))
                }
            }
            Durable { (action: LedgerAction) -> String? in
                guard case .add(let line) = action, line.hasPrefix("mail ") else { return nil }
                return line
            } run: { line, context in
                doings.note("\(line) \(context.id) on \(name)")
                try await doings.work.withValue { $0 }()
                await context.propose(LedgerAction.add("sent by \(name)"))
            }
            While(\.isOpen) { _, context in
                doings.note("open on \(name)")
                context.dispatch(LedgerAction.add("opened by \(name)"))
                try? await context.clock.sleep(for: .seconds(1_000_000))
                doings.note("closed on \(name)")
            }
        }
        transport.connect(node)
        let place = Place(node: node, ledger: ledger, running: Task { await node.run() })
        places.withValue { $0.append(place) }
        return place
    }

    /// Ends a node as if it had died.
    func kill(_ place: Place) async {
        transport.disconnect(place.node.id)
        places.withValue { $0.removeAll { $0.node === place.node } }
        place.running.cancel()
        await place.running.value
    }

    /// Moves the clock until something is so; at most for forty of its seconds.
    func move(
        until goal: String, at location: SourceLocation = #_sourceLocation,
        _ condition: () async throws -> Bool
    ) async rethrows {
        for _ in 0..<800 {
            if try await condition() { return }
            // Everything that is due has happened once all nodes sleep again, and others have had their turn.
            for _ in 0..<40 { await Task.yield() }
            await clock.sleepers(places.withValue { $0.count })
            clock.advance(by: .milliseconds(50))
        }
        Issue.record("In forty seconds it never was so: \(goal)", sourceLocation: location)
    }

    /// Moves the clock for some of its time.
    func move(for duration: Duration) async {
        let end = clock.now.elapsed + duration
        await move(until: "time has passed") { clock.now.elapsed >= end }
    }

    /// What a call returns, for which the clock has to move.
    func result<Value: Sendable>(
        at location: SourceLocation = #_sourceLocation,
        of call: @escaping @Sendable () async -> Value
    ) async throws -> Value {
        let answer = Guarded<Value?>(nil)
        let task = Task {
            let value = await call()
            answer.withValue { $0 = value }
        }
        defer { task.cancel() }
        await move(until: "there is an answer", at: location) { answer.withValue { $0 } != nil }
        return try #require(answer.withValue { $0 }, sourceLocation: location)
    }

    func propose(
        _ line: String, on place: Place, request: RequestID? = nil,
        at location: SourceLocation = #_sourceLocation
    ) async throws -> ProposalOutcome {
        try await result(at: location) {
            await place.ledger.propose(LedgerAction.add(line), request: request)
        }
    }

    /// The names and payloads of the actions in the log.
    func log() async throws -> [JournalEntry] {
        try await journal.entries(from: 1, limit: .max).filter(\.hasAction)
    }

    func stop() async {
        for place in places.withValue({ $0 }) { await kill(place) }
    }
}
