// SPDX-License-Identifier: MIT

#if Testing
import Onward
import OnwardTesting
import Testing

@Suite struct ExpectReleasedTests {
    final class Model: Sendable {}

    @Test func `an object that nothing keeps passes`() async {
        let issues = await Issues.found {
            await expectReleased { Model() }
            await expectReleased {
                let store = Store(Search()) { search }
                store.dispatch(SearchAction.open(true))
                return store
            }
        }
        #expect(issues.texts == [])
    }

    @Test func `an object that is released a little later passes`() async {
        let issues = await Issues.found {
            // The limit is only for a model that is never released; a busy machine takes its time.
            await expectReleased(within: .seconds(50)) {
                let model = Model()
                Task {
                    await Task.yield()
                    _ = model
                }
                return model
            }
        }
        #expect(issues.texts == [])
    }

    @Test func `an object that is kept fails, with advice where to look`() async {
        let kept = Model()
        let issues = await Issues.found {
            await expectReleased(within: .milliseconds(20)) { kept }
        }
        #expect(
            issues.texts == [
                """
                The Model that the test made is still there 0.02 seconds after the test let go of \
                it: something keeps it. Look for closures that capture it, such as effects and \
                subscribers (use [weak …] or what the closure is given), and for tasks that have not \
                ended.
                """
            ])
    }
}
#endif
