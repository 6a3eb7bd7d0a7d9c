// SPDX-License-Identifier: MIT

#if Testing
/// What a test says about the change that one action makes.
struct Expectation<State> {
    private let changes: ((inout State) throws -> Void)?
    private let strictness: Strictness

    init(_ changes: ((inout State) throws -> Void)?, _ strictness: Strictness) {
        self.changes = changes
        self.strictness = strictness
    }

    /// Fails the test unless the change is the expected one.
    func check(_ action: String, before: State, after: State, at callSite: CallSite) {
        var expected = strictness == .exhaustive ? before : after
        do {
            try changes?(&expected)
        } catch {
            return Issue.report(TestFailure.changesThrew(error, for: action), at: callSite)
        }
        guard !Self.areEqual(expected, after) else { return }
        Issue.report(
            TestFailure.changes(
                of: action, expected: expected, actual: after, isStated: changes != nil,
                strictness),
            at: callSite)
    }

    /// Compares two states; those that are not `Equatable` by their printed form, or their encoded
    /// one.
    private static func areEqual(_ left: State, _ right: State) -> Bool {
        guard let equatable = left as? any Equatable else {
            return TestFailure.areAlike(left, right) || TestFailure.areSame(left, right) == true
        }
        return TestFailure.areEqual(equatable, right)
    }
}
#endif
