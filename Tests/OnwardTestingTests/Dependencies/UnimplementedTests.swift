// SPDX-License-Identifier: MIT

#if Testing
import Onward
import OnwardTesting
import Testing

@Suite struct UnimplementedTests {
    private struct Facts: Sendable {
        var fetch: @Sendable (Int, String) async throws -> String
        var log: @Sendable (String) -> Void
        var count: @Sendable () async -> Int

        static let unimplemented = Facts(
            fetch: OnwardTesting.unimplemented("facts.fetch"),
            log: OnwardTesting.unimplemented("facts.log", returning: ()),
            count: OnwardTesting.unimplemented("facts.count", returning: 7))
    }

    private struct Ask: Action, Equatable {}

    @Test
    func `a call fails the test, with the name and the arguments, and throws`() async {
        let issues = await Issues.found {
            await #expect(throws: UnimplementedError.self) {
                _ = try await Facts.unimplemented.fetch(4, "en")
            }
        }
        #expect(issues.all.count == 1)
        #expect(
            issues.texts.first?.hasPrefix(
                "facts.fetch(4, en) was called, but this test says that it isn't.") == true)
    }

    @Test
    func `one that cannot throw returns its value`() async {
        let issues = await Issues.found {
            Facts.unimplemented.log("x")
            #expect(await Facts.unimplemented.count() == 7)
        }
        #expect(issues.texts.map { $0.prefix { $0 != ")" } } == ["facts.log(x", "facts.count("])
    }

    @Test
    func `nothing is reported where nothing is called`() async {
        let issues = await Issues.found { _ = Facts.unimplemented }
        #expect(issues.all.isEmpty)
    }

    @Test
    func `an effect that calls one fails the test of its store`() async {
        let facts = Facts.unimplemented
        let issues = await Issues.found {
            let store = TestStore(0) {
                Reduce { (count: inout Int, _: Ask) in count += 1 }
                OnAction { (_: Ask, _) in
                    .run {
                        _ = try await facts.fetch(1, "en")
                    } catching: { _ in
                    }
                }
            }
            await store.dispatch(Ask()) { $0 = 1 }
            await store.finish()
        }
        #expect(issues.texts.map { $0.prefix { $0 != "(" } } == ["facts.fetch"])
    }
}
#endif
