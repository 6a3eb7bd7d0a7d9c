// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import TestSupport

@Suite(.timeLimit(.minutes(5))) struct LoggingStressTests {
    @Test func `writes in the order of versions, one line at a time, on many threads`() {
        let lines = Log<String>()
        let isWriting = Guarded(false)
        let overlaps = Log<String>()
        let store = Store(Counter()) {
            ActionLogger { line in
                if isWriting.withValue({ was in
                    defer { was = true }
                    return was
                }) {
                    overlaps.append(line)
                }
                lines.append(line)
                isWriting.withValue { $0 = false }
            }
            counter
        }
        let count = scaled(500)
        onThreads(4) { _ in for _ in 0..<count { store.dispatch(CounterAction.add(1)) } }
        let versions = lines.all.compactMap { line in
            line.split(separator: " ").dropFirst(3).first.flatMap { CommitVersion($0) }
        }
        let early = zip(versions, versions.dropFirst()).filter { $0 >= $1 }
        #expect(early.map(\.1) == [])
        #expect(versions.count == 4 * count)
        #expect(overlaps.all == [])
    }
}
