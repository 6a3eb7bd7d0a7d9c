// SPDX-License-Identifier: MIT

import Testing

@testable import OnwardCore

/// Runs each test twice.
///
/// Once with stores that notify of a plain commit alone, once with stores where each commit waits
/// for a round.
struct BothWays: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await function()
        try await Turn.$waitsAlways.withValue(true) { try await function() }
    }
}

extension Trait where Self == BothWays {
    /// The promises hold on both ways of a delivery.
    static var bothWays: Self { BothWays() }
}
