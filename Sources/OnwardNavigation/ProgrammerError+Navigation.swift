// SPDX-License-Identifier: MIT

public import OnwardCore

extension ProgrammerError.Kind {
    /// A ``NavigationDriver`` does not end a step.
    public static var endlessNavigation: ProgrammerError.Kind {
        ProgrammerError.Kind("endlessNavigation")
    }
}

extension ProgrammerError {
    static func endlessNavigation(_ step: String, by driver: Any.Type, _ patience: Duration)
        -> ProgrammerError
    {
        ProgrammerError(
            kind: .endlessNavigation,
            description: """
                The \(driver) of a Navigator has not ended a step for \(patience): \(step). Until it \
                does, no later step is shown. To fix this, return from perform(_:) as soon as the step \
                is shown, also where an animation is interrupted; where steps take longer, give the \
                navigator more patience.
                """)
    }
}
