// SPDX-License-Identifier: MIT

package import OnwardJournal

/// What a test of the fewest entries is that lead to a value: searched for as long as its sender waits.
package struct ShortestTestQuestion: SearchQuestion {
    package static let address = "test?shortest=1"
    package static let fields = [QuestionField("to", .entry), .path]

    fileprivate var to: Int?
    fileprivate var path: DataPath?

    package func search(in store: any OwnStore) async throws -> FoundTest {
        let (end, path) = try value(in: store.log)
        return try await store.shortestTest(to: end, keeping: path)
    }

    /// Says why there is none, since only a store of this process runs its entries again.
    package func answer(from store: AskedStore) throws -> FoundTest {
        let (end, path) = try value(in: store.log)
        switch store.log.shortestTest(to: end, keeping: path) {
        case .found(let test): return test
        case .failed(let problem): throw problem
        case .none, .waiting, .searching:
            throw InspectorError(.refused, "The search goes on: ask again.")
        }
    }

    fileprivate func value(in log: any InspectedLog) throws -> (moment: Int, path: DataPath) {
        (try log.moment(after: to, or: log.summary.cursor), path ?? DataPath())
    }
}

/// How far the search for such a test is; asking begins it, or has it go on.
package struct ShortestProgressQuestion: SearchQuestion {
    package static let address = "test?shortest=1&poll=1"
    package static let fields = ShortestTestQuestion.fields

    private var test: ShortestTestQuestion

    package init(to entry: Int, _ path: DataPath) {
        test = ShortestTestQuestion(to: entry, path: path)
    }

    package init(from decoder: any Decoder) throws {
        test = try ShortestTestQuestion(from: decoder)
    }

    package func encode(to encoder: any Encoder) throws { try test.encode(to: encoder) }

    package func search(in store: any OwnStore) throws -> ShortestTest {
        let (end, path) = try test.value(in: store.log)
        return store.askForShortestTest(to: end, keeping: path)
    }

    package func answer(from store: AskedStore) throws -> ShortestTest {
        let (end, path) = try test.value(in: store.log)
        return store.log.shortestTest(to: end, keeping: path)
    }
}

extension FoundTest: LogAnswer {
    package static var example: FoundTest { FoundTest(source: "", isShortest: true) }
    package var lines: [String] { [source] }
}

extension ShortestTest: LogAnswer {
    package static var example: ShortestTest { .waiting }

    package init(written: DataValue) throws {
        func count(_ name: String) -> Int { written[name]?.integer(as: Int.self) ?? 0 }
        self =
            switch written["search"]?.text {
            case "found": .found(try FoundTest(written: written))
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
            var value = try test.written()
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
