// SPDX-License-Identifier: MIT
#if CommandLineTool && Inspector

internal import Foundation
internal import Onward
internal import OnwardJournal

/// Answers the messages of a client one by one, until there are no more.
struct ModelContextServer: Sendable {
    let context: ModelContext
    let source: any InspectorSource

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
        case .ask(let id, let query, let arguments):
            return ModelContext.answer(to: id, with: await outcome(query, arguments))
        }
    }

    private func outcome(_ query: InspectorQuery, _ arguments: DataValue) async
        -> ModelContext.Outcome
    {
        do {
            return .success(try await source.ask(query, arguments))
        } catch {
            return .failure(error as? SourceProblem ?? SourceProblem(.refused, "\(error)"))
        }
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
