// SPDX-License-Identifier: MIT

public import Foundation
public import Logging
public import MemoryTunesCore
import Synchronization

/// The pictures of covers: in memory, on disk, or from the web.
///
/// It answers for the covers that were announced to it and for no others, so nobody can have it fetch
/// something else. What comes from the web has to be a picture (see ``CoverImage``) of at most two
/// megabytes; where it comes from is checked (see ``Catalogue``).
public actor CoverCache {
    private let fetcher: Fetcher
    private let logger: Logger
    private var memory: RecentEntries<CoverName, CoverImage>
    private var folder: CoverFolder?
    private let addresses = Mutex(RecentEntries<CoverName, String>(limit: 20_000))
    private var fetches: [CoverName: Task<CoverImage?, Never>] = [:]

    /// A cache.
    ///
    /// - Parameters:
    ///   - folder: Where pictures are kept on disk; nowhere if nil, or if it can't be used.
    ///   - diskLimit: The bytes that the files may take together.
    ///   - memoryLimit: The bytes of the pictures kept in memory.
    ///   - catalogues: Addresses that somebody chose, so covers may be there though they are private.
    ///   - logger: Is notified of covers that fail.
    public init(
        folder: URL?, diskLimit: Int = 64 << 20, memoryLimit: Int = 16 << 20,
        catalogues: [WebAddress], logger: Logger
    ) {
        let fetcher = Fetcher(
            trusted: Set(catalogues.map(\.origin)), limits: .init(bytes: 2 << 20))
        self.init(
            folder: folder, diskLimit: diskLimit, memoryLimit: memoryLimit, fetcher: fetcher,
            logger: logger)
    }

    init(
        folder: URL?, diskLimit: Int, memoryLimit: Int, fetcher: Fetcher, logger: Logger
    ) {
        self.fetcher = fetcher
        self.logger = logger
        memory = RecentEntries(limit: memoryLimit)
        do {
            self.folder = try folder.map { try CoverFolder($0, limit: diskLimit) }
        } catch {
            logger.warning("Covers aren't kept on disk.", metadata: ["reason": "\(error)"])
        }
    }

    /// Announces covers that may be asked for from now on, and begins to fetch them.
    ///
    /// The newest 20,000 are remembered.
    public nonisolated func expect(_ covers: [Cover]) {
        let new = addresses.withLock { addresses in
            covers.filter { cover in
                let name = CoverName(address: cover.address)
                guard addresses.use(name) == nil else { return false }
                _ = addresses.insert(cover.address, for: name, cost: 1)
                return true
            }
        }
        Task { for cover in new { await prepare(cover.address) } }
    }

    private func prepare(_ address: String) {
        let name = CoverName(address: address)
        if memory.use(name) == nil { _ = fetch(name, address) }
    }

    /// The picture of a cover; nil when it can't be had.
    ///
    /// - Throws: ``UnknownCover`` when nobody announced a cover of that name.
    public func image(_ name: CoverName) async throws(UnknownCover) -> CoverImage? {
        guard let address = addresses.withLock({ $0.use(name) }) else { throw UnknownCover() }
        if let image = memory.use(name) { return image }
        return await fetch(name, address).value
    }

    /// Asks the disk and then the web; other callers meanwhile wait for the same answer.
    private func fetch(_ name: CoverName, _ address: String) -> Task<CoverImage?, Never> {
        if let running = fetches[name] { return running }
        let task = Task {
            let image = await find(address)
            fetches[name] = nil
            if let image { _ = memory.insert(image, for: name, cost: image.bytes.count) }
            return image
        }
        fetches[name] = task
        return task
    }

    private func find(_ address: String) async -> CoverImage? {
        if let image = folder?.image(at: address) { return image }
        do {
            guard let url = WebAddress(address) else { throw FetchError.refused }
            guard let image = CoverImage(try await fetcher.fetch(url)) else {
                throw FetchError.broken
            }
            keep(image, address)
            return image
        } catch {
            logger.notice(
                "A cover can't be had.", metadata: ["address": "\(address)", "reason": "\(error)"])
            return nil
        }
    }

    private func keep(_ image: CoverImage, _ address: String) {
        do {
            try folder?.keep(image, at: address)
        } catch {
            logger.warning("A cover isn't kept on disk.", metadata: ["reason": "\(error)"])
        }
    }
}
