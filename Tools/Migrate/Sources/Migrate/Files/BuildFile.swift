// SPDX-License-Identifier: MIT

/// What an app that is no package says of its libraries, its systems and its modules: a project of Xcode, a
/// `Podfile`, a `Cartfile`, the specification of a pod.
///
/// Read line by line, as these are programs in other languages, or written by programs.
struct BuildFile {
    let path: String
    let text: String

    /// A line that says something, and what.
    struct Line: Equatable {
        let number: Int
        let column: Int
        let text: String
    }

    /// Whether a file of that name is one.
    static func isOne(_ name: String) -> Bool {
        ["Podfile", "Cartfile", "Cartfile.private", "project.pbxproj"].contains(name)
            || name.hasSuffix(".podspec")
    }

    /// Names of modules that are made here.
    var modules: Set<String> {
        var names: Set<String> = []
        for part in path.split(separator: "/") {
            for ending in [".xcodeproj", ".podspec"] where part.hasSuffix(ending) {
                names.insert(String(part.dropLast(ending.count)))
            }
        }
        let assignments = /(?:productName|PRODUCT_NAME|PRODUCT_MODULE_NAME) = "?([^";$]+)"?;/
        for match in text.matches(of: assignments) { names.insert(String(match.1)) }
        return names
    }

    /// What differs, each line of the same words once: projects repeat theirs for each configuration.
    var findings: [Finding] {
        dependencies.map { Finding($0, of: .dependency, in: self) }
            + platforms.map { Finding($0, of: .platforms, in: self) }
    }

    /// Where the originals are named.
    private var dependencies: [Line] {
        lines { line in
            let pod =
                /(?:^|\W)(?:pod|dependency)\W[^"'\n]*["']ReSwift(?:-?Thunk|-?Router)?["'\/]|["']ReduxSwift["']/
            let address = /(?i)\/(?:reswift|reswift-thunk|reswift-router|reduxswift)(?:\.git)?["']/
            return line.contains(pod) || line.contains(address)
        }
    }

    /// Where a system is named that is earlier than Onward's.
    private var platforms: [Line] {
        lines { line in
            let names = [
                "MACOSX_DEPLOYMENT_TARGET": "macOS", "IPHONEOS_DEPLOYMENT_TARGET": "iOS",
                "TVOS_DEPLOYMENT_TARGET": "tvOS", "WATCHOS_DEPLOYMENT_TARGET": "watchOS",
                "XROS_DEPLOYMENT_TARGET": "visionOS", "osx": "macOS", "macos": "macOS",
                "ios": "iOS", "tvos": "tvOS", "watchos": "watchOS", "visionos": "visionOS",
            ]
            let setting = /^([A-Z]+_DEPLOYMENT_TARGET) = "?(\d+)/
            let platform = /^platform[ (:]+(\w+)\s*,\s*["'](\d+)/
            let target = /\.(\w+)\.deployment_target\s*=\s*["'](\d+)/
            let match =
                line.firstMatch(of: setting) ?? line.firstMatch(of: platform)
                ?? line.firstMatch(of: target)
            guard let match, let least = names[String(match.1)].flatMap({ Rule.firstVersions[$0] }),
                let version = Int(match.2)
            else { return false }
            return version < least
        }
    }

    /// The lines of which something holds, without comments.
    private func lines(where holds: (Substring) -> Bool) -> [Line] {
        var seen: Set<Substring> = []
        return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .enumerated().compactMap { index, line in
                let words = line.drop(while: \.isWhitespace)
                guard !words.hasPrefix("#"), !words.hasPrefix("//"), holds(words),
                    seen.insert(words).inserted
                else { return nil }
                return Line(
                    number: index + 1, column: line.count - words.count + 1,
                    text: "`\(words)`")
            }
    }
}
