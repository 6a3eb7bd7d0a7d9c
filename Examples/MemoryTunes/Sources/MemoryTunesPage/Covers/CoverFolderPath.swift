// SPDX-License-Identifier: MIT

import MemoryTunesCore
import TunesService

/// Where the browser finds the pictures of covers: in the app, never elsewhere.
enum CoverFolderPath {
    static let path = "/covers/"

    /// The URL of a cover's picture.
    static func url(of cover: Cover) -> String {
        path + CoverName(address: cover.address).description
    }
}
