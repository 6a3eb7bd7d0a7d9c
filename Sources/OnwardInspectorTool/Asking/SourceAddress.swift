// SPDX-License-Identifier: MIT
#if All

internal import Foundation

/// A log as a person names it: by the address of an inspector, or as a file.
enum SourceAddress {
    /// Finds the source that answers.
    ///
    /// - Parameters:
    ///   - text: The address of an inspector's page, or the path of a file.
    ///   - token: The access token of an inspector; by default that of `ONWARD_INSPECTOR_TOKEN`.
    /// - Returns: The inspector, or the file in place of one.
    /// - Throws: ``SourceProblem``.
    static func source(
        _ text: String, token: String?
    ) async throws(SourceProblem) -> any InspectorSource {
        if text.hasPrefix("http://") || text.hasPrefix("https://") {
            let known = token ?? ProcessInfo.processInfo.environment["ONWARD_INSPECTOR_TOKEN"]
            guard let source = WebSource(text, token: known) else {
                throw SourceProblem(.unreachable, "\(text) is no address of an inspector.")
            }
            return source
        }
        do {
            return OwnSource(try await FiledLog.read(text), named: name(of: text))
        } catch {
            throw SourceProblem(.unreachable, "\(error)")
        }
    }

    /// A name for a file among stores: the file's name without its extension.
    static func name(of path: String) -> String {
        URL(filePath: path).deletingPathExtension().lastPathComponent
    }
}
#endif
