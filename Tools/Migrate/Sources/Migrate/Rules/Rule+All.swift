// SPDX-License-Identifier: MIT

extension Rule {
    /// The rules, those of what does not compile or behaves differently first.
    static let all = [
        dependency, platforms, moduleName, missingImport, otherLibrary, internals, twoImports,
        subclass, olderReducer, olderMiddleware, olderSubscribe, olderRouter, olderThunk,
        standardAction, stateAssignment, stateObserver, renamed, dispatchInNewState,
        dispatchInReducer, impureReducer, taskInReducer,
        backgroundDispatch, lockedDispatch, sharedState, sharedAction, missingCompletion,
        subscriptionsPlace,
    ]
}
