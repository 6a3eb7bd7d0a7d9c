// SPDX-License-Identifier: MIT

public import MemoryTunesCore

/// A catalogue of music, asked over the web.
///
/// `GET <base>/search?term=<category>&media=music` answers with JSON; of each result the address of
/// its cover is taken, and the album's name.
public struct Catalogue: Sendable {
    /// The catalogue that is asked unless another one is named.
    public static let standard = "https://itunes.apple.com"

    let base: WebAddress
    let fetcher: Fetcher

    /// A catalogue at an address that somebody chose, so it may be private.
    ///
    /// - Parameter base: The address that `/search` is appended to.
    public init(at base: WebAddress) {
        self.init(at: base, clock: ContinuousClock())
    }

    init(at base: WebAddress, clock: any Clock<Duration>) {
        self.base = base
        fetcher = Fetcher(
            trusted: [base.origin], limits: .init(bytes: 4 * 1_024 * 1_024), clock: clock)
    }

    /// The covers of a category in the catalogue's order, maybe with repetitions.
    ///
    /// The first 200 whose address can be asked; the others are left out. Takes at most ten seconds
    /// and four megabytes.
    ///
    /// - Throws: ``Problem``, whatever the catalogue does.
    public func covers(for category: Category) async throws(Problem) -> [Cover] {
        guard let address = base.search(category) else { throw .unreachable }
        let bytes: [UInt8]
        do {
            bytes = try await fetcher.fetch(address)
        } catch {
            throw Problem(error)
        }
        guard let answer = SearchAnswer(json: bytes) else { throw .unreadable }
        let covers = answer.covers.lazy.filter { cover in
            WebAddress(cover.address).map(fetcher.allows) ?? false
        }
        return Array(covers.prefix(200))
    }
}

extension WebAddress {
    fileprivate func search(_ category: Category) -> WebAddress? {
        var base = description.prefix { $0 != "?" }
        while base.hasSuffix("/") { base = base.dropLast() }
        return WebAddress("\(base)/search?term=\(category.rawValue)&media=music")
    }
}

extension Problem {
    fileprivate init(_ error: FetchError) {
        self =
            switch error {
            case .refused, .tooManyRedirects: .sentElsewhere
            case .unreachable: .unreachable
            case .timedOut: .timedOut
            case .tooLarge: .tooLarge
            case .broken: .unreadable
            case .status(let code): .status(code)
            }
    }
}
