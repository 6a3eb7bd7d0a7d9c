// SPDX-License-Identifier: MIT

public import OnwardCore

extension ProgrammerError.Kind {
    /// An effect was queued behind one that waits for it.
    public static var effectWaitingForItself: ProgrammerError.Kind {
        ProgrammerError.Kind("effectWaitingForItself")
    }

    /// An effect without an id ended another one that the same part of a feature had made elsewhere.
    public static var effectsWithoutIDs: ProgrammerError.Kind {
        ProgrammerError.Kind("effectsWithoutIDs")
    }
}

extension ProgrammerError {
    static func endingWithoutIDs(_ job: EffectJob, _ other: EffectJob) -> ProgrammerError {
        ProgrammerError(
            kind: .effectsWithoutIDs,
            description: """
                The effect at \(job.effect.origin) ended the one at \(other.effect.origin): neither has an id, \
                so a policy, a debounce or a throttle treats all effects of one OnAction or While as the same. \
                To fix this, give the two ids, such as `.run(id: "search")`: different ones, or the same \
                one where the newer is to end the older.
                """)
    }

    static func waitingForItself(_ job: EffectJob, behind other: EffectJob) -> ProgrammerError {
        ProgrammerError(
            kind: .effectWaitingForItself,
            description: """
                \(job.description(.queued).sentence("was queued behind one that waits for it:")) \
                \(other.description(.running).sentence("waits for the end of what it started")). So \
                neither could ever go on, and the queued one was dropped. To fix this, give the two \
                different ids, don't wait inside the first (`dispatch` instead of `run`), or let the \
                second be `.concurrent`.
                """)
    }
}
