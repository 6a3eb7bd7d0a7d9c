// SPDX-License-Identifier: MIT

package import Onward

// Elsewhere a debug build that stops at a mistake runs in a debugger, which shows the stack.
#if os(Linux) && canImport(Runtime)
internal import Runtime
#endif

/// Where a store was called in a program's own source.
///
/// The other libraries' functions can be overridden, so they cannot take `#fileID` and `#line`: an
/// override would have to repeat these. For a mistake, the stack says where.
@usableFromInline
package final class CallSites: Sendable {
    /// What is known about stacks, by their addresses.
    private let known = Guarded<[String: ActionOrigin?]>([:])

    package init() {}

    /// The innermost line on the stack outside this package; nil if the stack does not show it, as
    /// in a program without debug information.
    ///
    /// - Complexity: Reads the program's debug information, which takes some milliseconds for a
    ///   small program and seconds for a big one; once for each of 16 places.
    package func find() -> ActionOrigin? {
        #if os(Linux) && canImport(Runtime)
        guard let stack = try? Backtrace.capture(limit: 64) else { return nil }
        let key = stack.frames.prefix(16).map { "\($0)" }.joined()
        let (entry, isFull) = known.withValue { ($0[key], $0.count >= 16) }
        if let entry { return entry }
        guard !isFull else { return nil }
        let origin = Self.firstOfApp(of: stack)
        known.withValue { $0[key] = .some(origin) }
        return origin
        #else
        return nil
        #endif
    }

    #if os(Linux) && canImport(Runtime)
    private static func firstOfApp(of stack: Backtrace) -> ActionOrigin? {
        for frame in stack.symbolicated()?.frames ?? [] {
            guard let symbol = frame.symbol, let place = symbol.sourceLocation, place.line > 0,
                !isOfLibraries(place.path)
            else { continue }
            let file = place.path.split(separator: "/").last.map(String.init) ?? place.path
            let module = moduleName(of: symbol.rawName).map { "\($0)/" } ?? ""
            return ActionOrigin(file: module + file, line: place.line)
        }
        return nil
    }
    #endif

    /// Whether a source is this package's or the toolchain's.
    static func isOfLibraries(_ path: String, own file: String = #filePath) -> Bool {
        // …/Sources/OnwardBridge/CallSites.swift
        let sources = file.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
        return path.hasPrefix(sources.joined(separator: "/") + "/") || path.hasPrefix("<")
            || path.contains("/stdlib/public/")
    }

    /// The module in a mangled name: `Bank` in `$s4Bank7deposityyF`.
    static func moduleName(of symbol: String) -> String? {
        guard symbol.hasPrefix("$s") else { return nil }
        let rest = symbol.dropFirst(2)
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int(digits), count > 0 else { return nil }
        let name = rest.dropFirst(digits.count).prefix(count)
        return name.count == count ? String(name) : nil
    }
}
