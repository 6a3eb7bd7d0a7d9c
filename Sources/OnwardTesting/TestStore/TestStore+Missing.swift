// SPDX-License-Identifier: MIT

#if !Testing
/// A store for tests, which needs the trait `Testing` of this package.
@available(
    *, unavailable,
    message: """
        TestStore needs the trait Testing. Switch it on where the package is listed: \
        .package(url: …, from: …, traits: ["Testing"]).
        """
)
public final class TestStore<State: Sendable> {}
#endif
