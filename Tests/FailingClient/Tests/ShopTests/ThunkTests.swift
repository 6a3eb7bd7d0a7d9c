// SPDX-License-Identifier: MIT

import Dispatch
import ReSwift
import ReSwiftThunk
import ReSwiftThunkTesting
import Testing

private struct Bought: Action, Equatable { let count: Int }

/// Tests of which the lines that end with "fails" have to fail, and no others.
@Suite struct ThunkTests {
    private let buy = Thunk<Int> { dispatch, getState in
        dispatch(Bought(count: (getState() ?? 0) + 1))
    }

    @Test func `what is as expected passes`() async {
        ExpectThunk(buy).getsState(2).dispatches(Bought(count: 3)).run()
        await ExpectThunk(buy).dispatches(Bought(count: 1)).finish()
    }

    @Test func `another action, and one too few`() {
        ExpectThunk(buy)
            .getsState(2)
            .dispatches(Bought(count: 2))  // fails
            .dispatches(Bought(count: 3))  // fails
            .run()
    }

    @Test func `another action, from a queue`() async {
        let later = Thunk<Int> { dispatch, _ in
            nonisolated(unsafe) let dispatch = dispatch
            DispatchQueue.global().async { dispatch(Bought(count: 1)) }
        }
        await ExpectThunk(later)
            .dispatches(Bought(count: 2))  // fails
            .finish()
    }

    @Test func `a dispatch that never comes`() {
        ExpectThunk(Thunk<Int> { _, _ in })
            .dispatches(Bought(count: 2))  // fails
            .wait(timeout: 0.01)  // fails
    }
}
