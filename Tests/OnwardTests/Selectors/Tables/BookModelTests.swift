// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import EntityTables
@testable import OnwardCore

@Suite struct BookModelTests {
    @Test(arguments: 1...9)
    func `folds, joins and parameters are what plain loops give, after any changes`(seed: UInt64) {
        var run = BookRun(seed: seed)
        run.perform(steps: 100)
        #expect(run.faults == [:])
    }
}
