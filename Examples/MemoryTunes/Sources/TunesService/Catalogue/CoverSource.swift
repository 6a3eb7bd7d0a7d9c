// SPDX-License-Identifier: MIT

public import MemoryTunesCore

/// Where covers come from: a catalogue, and another one for when that can't be reached.
public struct CoverSource: Sendable {
    let catalogue: Catalogue
    let substitute: Catalogue?

    /// A source of covers.
    public init(_ catalogue: Catalogue, substitute: Catalogue? = nil) {
        (self.catalogue, self.substitute) = (catalogue, substitute)
    }

    /// The covers of a category, and whether they are the substitute's.
    ///
    /// - Throws: ``Problem`` of the catalogue that was asked last.
    public func covers(
        for category: Category
    ) async throws(Problem) -> (covers: [Cover], isOwn: Bool) {
        do {
            return (try await catalogue.covers(for: category), false)
        } catch {
            guard let substitute, error == .unreachable || error == .timedOut else { throw error }
            return (try await substitute.covers(for: category), true)
        }
    }
}
