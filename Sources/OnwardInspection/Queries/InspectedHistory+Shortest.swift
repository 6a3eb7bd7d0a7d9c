// SPDX-License-Identifier: MIT

internal import Onward
public import OnwardJournal
internal import OnwardReports

extension InspectedHistory {
    /// Returns how far the search for a shortest test is; one that has not begun doesn't begin.
    public func shortestTest(to moment: Int, keeping path: DataPath) -> ShortestTest {
        guard let shortest else { return .failed(Self.uncodable) }
        return shortest.status(of: shortestKey(moment, path))
    }

    /// Stands for the value at a path and a moment, however long the log becomes.
    func shortestKey(_ moment: Int, _ path: DataPath) -> ShortestTests<State>.Key {
        let count = log.staged.count
        return ShortestTests<State>.Key(
            position: log.takenCount - count + min(max(moment, 0), count), path: path,
            revision: log.revision)
    }

    /// Finds a test of few entries that lead to a value.
    ///
    /// - Parameters:
    ///   - key: The value.
    ///   - limits: When to give up; with the time over, the best list so far is the result.
    ///   - search: Finds the entries.
    /// - Returns: The test.
    /// - Throws: Why there is none.
    func shortestTest(
        _ key: ShortestTests<State>.Key, _ limits: QuestionLimits,
        _ search: (
            _ entries: [LogEntry], _ state: State, _ fault: (State) -> Bool
        ) throws(ReportError) -> ShortestTests<State>.ShortestList
    ) throws(InspectorError) -> FoundTest {
        let history = limited(by: limits)
        let staged = history.log.staged
        let end = min(max(key.position - (log.takenCount - staged.count), 0), staged.count)
        let scope = { history.scope(key.path) }
        var states = history.log
        let wanted = Self.part(of: states.state(at: end), key.path, scope())
        let base = states.base
        guard Self.part(of: base, key.path, scope()) != wanted else {
            throw InspectorError(.missing, "It was like this from the beginning of the log.")
        }
        if limits.isOver, let problem = limits.problem { throw problem }
        let entries = staged[..<end].filter { !log.skipped.contains($0.id) }.map(\.replayed)
        let found: ShortestTests<State>.ShortestList
        do {
            found = try search(entries, base) { state in
                guard !limits.isOver else {
                    // Nothing else is tried, so that the best list so far is left.
                    withUnsafeCurrentTask { $0?.cancel() }
                    return false
                }
                return Self.part(of: state, key.path, scope()) == wanted
            }
        } catch {
            throw limits.problem ?? InspectorError(.invalid, "\(error)")
        }
        if let problem = limits.problem, !limits.isTimeOver { throw problem }
        let writing = QuestionLimits()
        writing.begin()
        do {
            var state = found.state
            let source = try limited(by: writing).testSource(of: found.entries, from: &state)
            return FoundTest(
                source: source, isShortest: found.isMinimal && limits.problem == nil)
        } catch {
            throw writing.problem ?? InspectorError(.invalid, "\(error)")
        }
    }

    static var uncodable: InspectorError {
        InspectorError(
            .invalid, "\(State.self) is not Codable, so no shortest test can be written.")
    }
}
