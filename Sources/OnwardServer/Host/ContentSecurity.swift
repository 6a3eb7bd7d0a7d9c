// SPDX-License-Identifier: MIT
#if Server

/// What the documents of a page may load and run beside its own files: nothing, by default.
///
/// ```swift
/// options.contentSecurity.allowsInlineStyles = true    // an editor that brings its own styles
/// options.contentSecurity.allow(.images, from: "https://tile.openstreetmap.org", "data:")
/// options.contentSecurity.allow(.workers, from: "blob:")
/// ```
///
/// Each of these is something that a text which isn't escaped could use, so allow what a script needs
/// and no more. Scripts of other sites see everything that a visitor sees, and can do all that the
/// visitor can: better serve a copy as an ``Asset``. Inline scripts are never allowed.
public struct ContentSecurity: Sendable, Hashable {
    /// A kind of content.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Scripts.
        case scripts = "script-src"
        /// Style sheets.
        case styles = "style-src"
        /// Pictures.
        case images = "img-src"
        /// Fonts.
        case fonts = "font-src"
        /// Audio and video.
        case media = "media-src"
        /// What scripts connect to.
        case connections = "connect-src"
        /// Other documents inside the page.
        case frames = "frame-src"
        /// Scripts that run on threads of their own.
        case workers = "worker-src"
    }

    /// Whether elements and scripts may bring styles of their own (`'unsafe-inline'` for styles).
    ///
    /// A script that sets `element.style.width` needs no permission; one that writes `style="…"` or a
    /// `<style>` does.
    public var allowsInlineStyles = false
    private var sources: [Kind: [String]] = [:]

    /// Allows nothing but the page's own files.
    public init() {}

    /// Allows content of a kind from other places.
    ///
    /// - Parameters:
    ///   - kind: The kind of content.
    ///   - sources: Origins such as `https://example.org`, schemes such as `data:` and `blob:`, or a
    ///     quoted word of the policy (CSP 3 § 2.3.1) such as `'wasm-unsafe-eval'`.
    /// - Precondition: A source is visible ASCII without commas and semicolons.
    public mutating func allow(_ kind: Kind, from sources: String...) {
        for source in sources {
            precondition(
                !source.isEmpty
                    && source.utf8.allSatisfy {
                        (0x21...0x7E).contains($0) && $0 != 0x2C && $0 != 0x3B
                    },
                """
                "\(source)" is no source of content. To allow several, pass each as a text of its own: \
                allow(.images, from: "https://a.example", "data:").
                """)
        }
        self.sources[kind, default: []] += sources
    }

    /// The header `Content-Security-Policy`.
    var policy: String {
        let directives = Kind.allCases.compactMap { kind -> String? in
            var allowed = sources[kind] ?? []
            if kind == .styles, allowsInlineStyles { allowed.append("'unsafe-inline'") }
            // Frames and workers are none of a page's own, unless the app says so.
            if allowed.isEmpty, kind == .frames || kind == .workers { return nil }
            return ([kind.rawValue, "'self'"] + allowed).joined(separator: " ")
        }
        return
            (["default-src 'none'"] + directives + [
                "manifest-src 'self'", "form-action 'self'", "base-uri 'none'",
                "frame-ancestors 'none'",
            ]).joined(separator: "; ")
    }
}
#endif
