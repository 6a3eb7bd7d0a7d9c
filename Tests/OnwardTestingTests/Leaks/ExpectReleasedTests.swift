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
            // As if the machine were so busy that the time is over at the first look.
            await expectReleased(within: .zero) {
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
