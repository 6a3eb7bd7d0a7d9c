// SPDX-License-Identifier: MIT

#if Testing
internal import Onward

/// What a test says about the change that one action makes.
struct Expectation<State> {
    private let changes: ((inout State, Stamp) throws -> Void)?
    private let strictness: Strictness

    init(_ changes: ((inout State) throws -> Void)?, _ strictness: Strictness) {
        self.init(changes.map { changes in { state, _ in try changes(&state) } }, strictness)
    }

    init(_ changes: ((inout State, Stamp) throws -> Void)?, _ strictness: Strictness) {
        self.changes = changes
        self.strictness = strictness
    }

    /// Fails the test unless the change is the expected one; `stamp` is what the reducers were given.
    func check(
        _ action: String, before: State, after: State, stamp: EntryStamp? = nil,
        at callSite: CallSite
    ) {
        var expected = strictness == .exhaustive ? before : after
        do {
            let stamp = stamp ?? EntryStamp(seed: 0, time: Timestamp(nanosecondsSince1970: 0))
            try changes?(&expected, Stamp(stamp))
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
