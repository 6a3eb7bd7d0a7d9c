// SPDX-License-Identifier: MIT

/// Fails the test if an object stays alive after the test has released it.
///
/// ```swift
/// await expectReleased {
///     let store = Store(AppState()) { app }
///     store.dispatch(AppAction.start)
///     await store.shutdown()
///     return store
/// }
/// ```
///
/// - Parameters:
///   - limit: How much real time may pass until the object is released; a busy machine gets more.
///   - isolation: The actor that the test runs on.
///   - fileID: The source file, for the failure.
///   - filePath: The path of the source file, for the failure.
///   - line: The source line, for the failure.
///   - column: The column in the line, for the failure.
///   - make: Makes the object and uses it.
/// - Throws: What `make` throws.
public func expectReleased<Object: AnyObject>(
    within limit: Duration = .seconds(3), isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, _ make: () async throws -> Object
) async rethrows {
    weak let object = try await make()
    // Nothing reports a release, so it is checked for, less and less often. If thousands of tests
    // wait for a thread, a single pause can take longer than the limit, and a task that keeps the
    // object waits as long for each of its steps. So the time counts only after a few checks.
    let end = ContinuousClock.now.advanced(by: limit)
    var pause = Duration.milliseconds(1)
    var looks = 0
    while object != nil, looks < 8 || ContinuousClock.now < end {
        guard (try? await Task.sleep(for: pause)) != nil else { return }
        pause = min(pause * 2, .milliseconds(100))
        looks += 1
    }
    guard object != nil else { return }
    Issue.report(
        """
        The \(Object.self) that the test made is still there \(limit) after the test let go of it: \
        something keeps it. Look for closures that capture it, such as effects and subscribers (use \
        [weak …] or what the closure is given), and for tasks that have not ended.
        """, at: CallSite(fileID, filePath, line, column))
}
