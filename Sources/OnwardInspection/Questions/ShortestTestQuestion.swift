// SPDX-License-Identifier: MIT

package import OnwardJournal

/// What a test of the fewest entries is that lead to a value: searched for as long as its sender waits.
package struct ShortestTestQuestion: SearchQuestion {
    package static let address = "test?shortest=1"
    package static let fields = [
        QuestionField("to", .entry), .path, QuestionField("poll", .truth),
    ]

    private var to: Int?
    private var path: DataPath?
    /// Whether the answer says at once how far it is; asking begins it, or has it go on.
    private var poll: Bool?

    package init(to entry: Int, _ path: DataPath) {
        (to, self.path, poll) = (entry, path, true)
    }

    package func search(in store: any OwnStore) async throws -> ShortestTest {
        let (end, path) = try value(in: store.log)
        return poll == true
            ? store.askForShortestTest(to: end, keeping: path)
            : .found(try await store.shortestTest(to: end, keeping: path))
    }

    /// Says why there is none, since only a store of this process runs its entries again.
    package func answer(from store: AskedStore) throws -> ShortestTest {
        let (end, path) = try value(in: store.log)
        return store.log.shortestTest(to: end, keeping: path)
    }

    private func value(in log: any InspectedLog) throws -> (moment: Int, path: DataPath) {
        (try log.moment(after: to, or: log.summary.cursor), path ?? DataPath())
    }
}

extension ShortestTest: LogAnswer {
    package static var example: ShortestTest { .waiting }

    package init(written: DataValue) throws {
        func count(_ name: String) -> Int { written[name]?.integer(as: Int.self) ?? 0 }
        self =
            switch written["search"]?.text {
            case "found": .found(try written.decoded())
            case "searching": .searching(entries: count("entries"), runs: count("runs"))
            default: .waiting
            }
    }

    package func written() throws -> DataValue {
        switch self {
        case .none, .waiting: return ["search": "waiting"]
        case .searching(let entries, let runs):
            return [
                "search": "searching", "entries": .integer(Int64(entries)),
                "runs": .integer(Int64(runs)),
            ]
        case .found(let test):
            var value = try DataValue(encoding: test)
            value["search"] = "found"
            return value
        case .failed(let problem): throw problem
        }
    }

    package var bounded: ShortestTest {
        guard case .searching(let entries, let runs) = self else { return self }
        return .searching(entries: entries.bounded, runs: runs.bounded)
    }
}
