// SPDX-License-Identifier: MIT

public import Onward

extension ProgrammerError.Kind {
    /// An action that isn't `Codable` was dispatched to the store of a ``SyncedStore``.
    public static var uncodedSyncedAction: ProgrammerError.Kind {
        ProgrammerError.Kind("uncodedSyncedAction")
    }

    /// One of the ``SyncLimits`` is so low that nothing would ever be in step.
    public static var unusableSyncLimit: ProgrammerError.Kind {
        ProgrammerError.Kind("unusableSyncLimit")
    }
}

extension ProgrammerError {
    static func unusableSyncLimit(
        _ name: String, _ value: String, atLeast least: String
    ) -> ProgrammerError {
        ProgrammerError(
            kind: .unusableSyncLimit,
            description: """
                SyncLimits.\(name) is \(value), with which a client and its server are never in step. \(least) is taken \
                instead. To fix this, set at least \(least), or leave the limit out: the default suits most apps.
                """)
    }

    static func uncodedSyncedAction(
        _ action: any Action, _ origin: ActionOrigin
    ) -> ProgrammerError {
        let name = type(of: action).actionName
        return ProgrammerError(
            kind: .uncodedSyncedAction,
            description: """
                \(action.wireName) was dispatched to the store of a SyncedStore, at \(origin). \(name) isn't \
                Codable, so it can be neither kept nor proposed to the server, and what it does would be taken \
                back. The action was withheld. To fix this, declare `extension \(name): Codable {}`; if it changes \
                what only concerns this device, write `options.keepLocal(\\.slice, changedBy: \(name).self)`.
                """)
    }
}
