// SPDX-License-Identifier: MIT

public import OnwardCore

extension Misuse.Kind {
    /// An effect was queued behind one that waits for it.
    public static var effectWaitingForItself: Misuse.Kind { Misuse.Kind("effectWaitingForItself") }
}

extension Misuse {
    static func waitingForItself(_ job: EffectJob, behind other: EffectJob) -> Misuse {
        Misuse(
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
