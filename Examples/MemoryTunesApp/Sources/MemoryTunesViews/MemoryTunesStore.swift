// SPDX-License-Identifier: MIT

public import Foundation
public import MemoryTunesCore
public import Onward
import OnwardJournal

/// The store of the app: the game, covers from the catalogue, and what lasts from launch to launch.
///
/// - Parameters:
///   - folder: Where the game and the category are kept.
///   - clock: What the seconds of a game are counted on.
///   - covers: Finds covers of a category.
/// - Returns: The store that all windows show.
@MainActor public func memoryTunesStore(
    keptIn folder: URL = standardFolder,
    clock: any Clock<Duration> = ContinuousClock(),
    covers:
        @escaping @Sendable (MemoryTunesCore.Category) async throws -> (
            covers: [Cover], isOwn: Bool
        ) = Catalogue.covers
) -> Store<MemoryTunes> {
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var options = StoreOptions()
    options.clock = clock
    return Store(MemoryTunes(), options: options) {
        memoryTunes(covers: covers)
        Saving(\.game, in: .file(folder.appending(path: "game.json").path))
        Saving(\.categories, in: .file(folder.appending(path: "categories.json").path))
    }
}

/// Where the system keeps what belongs to apps.
public var standardFolder: URL {
    FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]
        .appending(path: "MemoryTunes")
}
