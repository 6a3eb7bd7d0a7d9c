// SPDX-License-Identifier: MIT

import Onward

/// The mistakes that a store reported.
final class ReportedMistakes: Sendable {
    private let list = Guarded<[ProgrammerError]>([])

    var all: [ProgrammerError] { list.withValue { $0 } }

    var handler: @Sendable (ProgrammerError) -> Void {
        { mistake in self.list.withValue { $0.append(mistake) } }
    }
}
