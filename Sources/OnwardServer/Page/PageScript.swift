// SPDX-License-Identifier: MIT
#if Server

/// The script of a page: its parts one after another, served as one file.
///
/// `patch.js` makes elements match what the server draws, `forms.js` reads what a reader asks for,
/// `navigation.js` keeps address bar and history in step, `onward.js` connects them to the server.
enum PageScript {
    /// The script for a page, with or without routes.
    static func asset(hasRoutes: Bool) -> Asset {
        let parts = [
            PackageResources.patch_js, PackageResources.forms_js,
            hasRoutes ? PackageResources.navigation_js : [], PackageResources.onward_js,
        ]
        return Asset(
            path: "/onward.js", contentType: "text/javascript; charset=utf-8",
            bytes: Array(parts.joined()))
    }
}
#endif
