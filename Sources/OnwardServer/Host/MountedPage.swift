// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Hummingbird
import ServiceLifecycle

/// A page that a server shows below a path, besides its own.
protocol MountedPage: Sendable {
    /// The services that forget its idle visitors, and those of the pages below it.
    var sweepers: [any Service] { get }

    /// Adds its routes.
    func add(to router: Router<PageContext>)

    /// The methods of what it has at a path; none if it has nothing there.
    func methods(at path: String) -> Set<HTTPRequest.Method>

    /// Draws its first screen, to find a page that can't be drawn before the first visitor does.
    ///
    /// - Throws: Why it can't be drawn.
    func drawFront() async throws
}

extension PageHost: MountedPage {
    var sweepers: [any Service] {
        [Sweeper(visitors: visitors, options: options)] + mounted.flatMap(\.sweepers)
    }

    func drawFront() async throws {
        do {
            let front = documents.page.location(at: root + "/")
            _ = try await visitors.shared?.feed.current(at: front)
        } catch is Rejection {
            // A store that isn't ready yet is answered with 503 until it is.
        }
        for page in mounted { try await page.drawFront() }
    }
}
#endif
