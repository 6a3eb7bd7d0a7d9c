// SPDX-License-Identifier: MIT

#if Testing
/// Returns a closure that a test doesn't expect to be called; if it is, the test fails and the
/// caller gets an error.
///
/// ```swift
/// let store = TestStore(Counter()) { counter(facts: unimplemented("facts.fetch")) }
/// ```
///
/// It has the type of the closure that it replaces, with any number of arguments.
///
/// - Parameters:
///   - name: What the closure stands for, for the failure.
///   - fileID: The source file, for the failure.
///   - filePath: The path of the source file, for the failure.
///   - line: The source line, for the failure.
///   - column: The column in the line, for the failure.
/// - Returns: The closure. It throws ``UnimplementedError``.
public func unimplemented<each Argument, Result>(
    _ name: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
) -> @Sendable (repeat each Argument) async throws -> Result {
    let (test, callSite) = (OwningTest(), CallSite(fileID, filePath, line, column))
    return { (arguments: repeat each Argument) in
        test.report(TestFailure.unimplemented(name, list(repeat each arguments)), at: callSite)
        throw UnimplementedError(name: name)
    }
}

/// Returns a closure that can't throw and that a test doesn't expect to be called; if it is, the
/// test fails, and the caller gets a value so that the test can go on.
///
/// ```swift
/// let log: @Sendable (String) -> Void = unimplemented("log", returning: ())
/// ```
///
/// - Parameters:
///   - name: What the closure stands for, for the failure.
///   - value: What the caller gets.
///   - fileID: The source file, for the failure.
///   - filePath: The path of the source file, for the failure.
///   - line: The source line, for the failure.
///   - column: The column in the line, for the failure.
/// - Returns: The closure.
public func unimplemented<each Argument, Result: Sendable>(
    _ name: String, returning value: Result, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) -> @Sendable (repeat each Argument) -> Result {
    let (test, callSite) = (OwningTest(), CallSite(fileID, filePath, line, column))
    return { (arguments: repeat each Argument) in
        test.report(TestFailure.unimplemented(name, list(repeat each arguments)), at: callSite)
        return value
    }
}

/// The error that the caller of an ``unimplemented(_:fileID:filePath:line:column:)`` closure gets.
public struct UnimplementedError: Error, Sendable, CustomStringConvertible {
    /// What the closure stands for.
    public let name: String

    /// A sentence with the name.
    public var description: String { "\(name) is not implemented in this test." }
}

private func list<each Argument>(_ arguments: repeat each Argument) -> String {
    var texts: [String] = []
    repeat texts.append(String(describing: each arguments))
    return texts.joined(separator: ", ")
}
#endif
