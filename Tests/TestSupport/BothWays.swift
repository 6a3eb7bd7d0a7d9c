// SPDX-License-Identifier: MIT

import Testing

@testable import OnwardCore

/// Runs each test twice: with stores that notify plain commits from the stack, and with stores that queue
/// every delivery.
struct BothWays: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await function()
        try await DeliveryQueue.$queuesAll.withValue(true) { try await function() }
    }
}

extension Trait where Self == BothWays {
    /// The promises hold on both ways of a delivery.
    static var bothWays: Self { BothWays() }
}
