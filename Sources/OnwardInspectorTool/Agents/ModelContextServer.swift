// SPDX-License-Identifier: MIT
#if All

internal import Foundation
internal import Onward
internal import OnwardJournal
internal import OnwardLog

/// Answers the messages of a client one by one, until there are no more.
struct ModelContextServer: Sendable {
    let context: ModelContext
    let source: any InspectorSource
    /// Makes tests in the app's package, if there is one.
    var maker: ReportTestMaker?

    /// The answer to a line; nil for none.
    func answer(_ line: MessageLines.Line) async -> DataValue? {
        let bytes: [UInt8]
        switch line {
        case .line(let line): bytes = line
        // One byte more than the limit, so that the answer says what the limit is.
        case .tooLong: bytes = Array(repeating: 0x20, count: ModelContext.limits.bytes + 1)
        }
        switch context.receive(bytes) {
        case .none: return nil
        case .answer(let answer): return answer
        case .ask(let request, let query, let arguments):
            return context.answer(to: request, with: await outcome(query, arguments))
        }
    }

    private func outcome(_ query: InspectorQuery, _ arguments: DataValue) async
        -> ModelContext.Outcome
    {
        do {
            if query.isOfPackage { return .success(try makeTest(arguments)) }
            return .success(try await source.ask(query, arguments))
        } catch {
            return .failure(error as? SourceProblem ?? SourceProblem(.refused, "\(error)"))
        }
    }

    private func makeTest(_ arguments: DataValue) throws -> DataValue {
        guard let maker else { throw SourceProblem(.refused, "There is no package.") }
        let path = arguments["report"]?.text ?? context.subject
        let outcome = try maker.make(path)
        var value: DataValue = ["text": .text(outcome.text(of: path))]
        switch outcome {
        case .red(let file, let entries, _, _):
            value["outcome"] = "red"
            value["file"] = .text(file)
            value["entries"] = .integer(Int64(entries))
        case .green(let file):
            value["outcome"] = "green"
            value["file"] = .text(file)
        case .noFault(let entries):
            value["outcome"] = "no fault"
            value["entries"] = .integer(Int64(entries))
        }
        return value
    }

    /// Reads from one handle, and writes to another.
    func run(from input: FileHandle, to output: FileHandle) async {
        var lines = MessageLines(limit: ModelContext.limits.bytes)
        while true {
            let piece = input.availableData
            let isEnd = piece.isEmpty
            for line in isEnd ? lines.end() : lines.take(piece) {
                guard let answer = await answer(line) else { continue }
                let bytes = DataFormat.json.bytes(of: answer) + [UInt8(ascii: "\n")]
                guard (try? output.write(contentsOf: bytes)) != nil else { return }
            }
            if isEnd { return }
        }
    }
}
#endif
