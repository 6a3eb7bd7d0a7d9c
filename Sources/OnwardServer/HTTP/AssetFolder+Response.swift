// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Hummingbird
import NIOCore

extension AssetFolder {
    /// The file with a name, or a part of it; 304 for a browser that has it, or 404.
    func response(to request: Request, of visitors: [VisitorID]) async throws -> Response {
        guard let name = name(in: request.uri.path), let file = try await find(name, visitors)
        else { throw Rejection.notFound }
        return FileAnswer(
            body: ByteBuffer(bytes: file.asset.bytes), tag: file.tag,
            headers: [.contentType: file.asset.contentType, .cacheControl: file.cacheControl]
        ).response(to: request)
    }

    /// The name of a file in a path, decoded once; nil for one that would lead outside the folder.
    func name(in path: String) -> String? {
        guard path.hasPrefix(self.path),
            let name = PercentEncoding.decode(path.dropFirst(self.path.count)),
            !name.isEmpty, name != ".", name != "..",
            !name.unicodeScalars.contains(where: {
                $0 == "/" || $0 == "\\" || $0.properties.generalCategory == .control
            })
        else { return nil }
        return name
    }
}

extension AssetFolder.File {
    /// Private, like the page's visitor.
    fileprivate var cacheControl: String {
        guard let maximumAge else { return "no-store" }
        return "private, max-age=\(max(0, maximumAge.components.seconds))"
    }
}
#endif
