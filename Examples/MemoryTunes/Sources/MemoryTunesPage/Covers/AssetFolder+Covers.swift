// SPDX-License-Identifier: MIT

import OnwardServer
import TunesService

extension AssetFolder {
    /// The pictures of covers, which browsers keep for a day.
    ///
    /// For a cover that can't be had there is a ``Placeholder``, which they don't keep.
    static func covers(in cache: CoverCache) -> AssetFolder {
        AssetFolder(CoverFolderPath.path) { text in
            guard let name = CoverName(text) else { return nil }
            do throws(UnknownCover) {
                guard let image = try await cache.image(name) else {
                    return File(.svg(text, Placeholder(name).svg))
                }
                return File(
                    Asset(path: text, contentType: image.contentType, bytes: image.bytes),
                    tag: image.tag, maximumAge: .seconds(86_400))
            } catch {
                return nil
            }
        }
    }
}
