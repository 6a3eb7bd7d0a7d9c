// SPDX-License-Identifier: MIT
#if Server

/// The script of a page: its parts one after another, served as one file.
///
/// `patch.js` updates elements to match what the server draws, `forms.js` reads a reader's input,
/// `navigation.js` keeps address bar and history in step, `uploads.js` sends files, `onward.js` connects them to the server.
enum PageScript {
    /// The script for a page, with or without routes and uploads.
    static func asset(hasRoutes: Bool, hasUploads: Bool = false) -> Asset {
        let parts = [
            PackageResources.patch_js, PackageResources.forms_js,
            hasRoutes ? PackageResources.navigation_js : [],
            hasUploads ? PackageResources.uploads_js : [], PackageResources.onward_js,
        ]
        return Asset(
            path: "/onward.js", contentType: "text/javascript; charset=utf-8",
            bytes: Array(parts.flatMap(withoutComments)))
    }

    /// A part without comment lines and without leading spaces.
    ///
    /// They are a third of what a browser would load. No text in a part spans several lines.
    private static func withoutComments(_ part: [UInt8]) -> [UInt8] {
        part.split(separator: UInt8(ascii: "\n")).flatMap { line in
            let text = line.drop { $0 == UInt8(ascii: " ") }
            return text.starts(with: "//".utf8) ? [] : text + [UInt8(ascii: "\n")]
        }
    }
}
#endif
