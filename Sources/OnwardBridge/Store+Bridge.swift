// SPDX-License-Identifier: MIT

public import Onward

extension Store {
    /// Dispatches an action of another library's app; the report of a mistake names the app's line.
    @inlinable @inline(__always)
    package func commit<A: Action>(_ action: A, from sites: CallSites) {
        guard !isInsideReducer else { return refuse(action, from: sites) }
        dispatch(action, isolation: nil)
    }

    @usableFromInline var isInsideReducer: Bool { isReducing }

    /// Makes the store report an action that a reducer dispatched.
    @inline(never)
    @usableFromInline
    func refuse<A: Action>(_ action: A, from sites: CallSites) {
        let origin = sites.find() ?? ActionOrigin(file: "a line that the debugger knows", line: 0)
        dispatch(action, file: origin.file, line: origin.line, isolation: nil)
    }
}
