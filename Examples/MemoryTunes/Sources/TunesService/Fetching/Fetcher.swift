// SPDX-License-Identifier: MIT

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix

/// Gets things from the web, within limits, and only from where everybody may go.
///
/// A catalogue decides where we go, so it must not lead us to machines that only we can reach. Only
/// public addresses are asked, except for the configured origins. A name is resolved once,
/// all its addresses are checked, and the connection goes to the one that was checked; each redirect
/// is checked anew.
struct Fetcher: Sendable {
    /// Limits of one fetch, redirects included.
    struct Limits: Sendable {
        var bytes: Int
        var time: Duration = .seconds(10)
        var redirects = 5
    }

    /// The origins that may be private, since somebody chose them.
    let trusted: Set<WebAddress.Origin>
    let limits: Limits
    var resolver = Resolver.system
    /// Whether an address may be asked; replaced where a test has none but its own machine.
    var checks: @Sendable (IPAddress) -> Bool = { $0.isPublic }
    var clock: any Clock<Duration> = ContinuousClock()
    /// How many fetches there are at once, copies of this fetcher included.
    var slots = FetchSlots()

    /// The content behind an address.
    func fetch(_ address: WebAddress) async throws(FetchError) -> [UInt8] {
        let (results, result) = AsyncStream.makeStream(of: Result<[UInt8], FetchError>.self)
        // Not a task group: it would wait for a resolver that can't be interrupted.
        let work = Task {
            let fetched = await slots.run { await outcome(of: address) }
            result.yield(fetched ?? .failure(.unreachable))
        }
        let timer = Task {
            try await clock.sleep(for: limits.time)
            result.yield(.failure(.timedOut))
        }
        defer {
            work.cancel()
            timer.cancel()
        }
        for await result in results { return try result.get() }
        throw .broken  // cancelled: nobody reads this
    }

    /// Whether an address may be asked as far as that can be known without a resolver.
    func allows(_ address: WebAddress) -> Bool {
        trusted.contains(address.origin) || address.origin.literal.map(checks) ?? true
    }

    private func outcome(of address: WebAddress) async -> Result<[UInt8], FetchError> {
        var address = address
        for _ in 0...limits.redirects {
            switch await ask(address) {
            case .success(.content(let bytes)): return .success(bytes)
            case .success(.redirect(let next)): address = next
            case .failure(let error): return .failure(error)
            }
        }
        return .failure(.tooManyRedirects)
    }

    private enum Answer { case content([UInt8]), redirect(WebAddress) }

    private func ask(_ address: WebAddress) async -> Result<Answer, FetchError> {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(5)))
        configuration.httpVersion = .http1Only
        configuration.connectionPool.retryConnectionEstablishment = false
        switch await destination(of: address) {
        case .success(let pinned): configuration.dnsOverride = pinned
        case .failure(let error): return .failure(error)
        }
        let client = HTTPClient(
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
        let answer = await ask(address, client)
        try? await client.shutdown()
        return answer
    }

    /// Which name stands for which address in this one request.
    private func destination(
        of address: WebAddress
    ) async -> Result<[String: String], FetchError> {
        guard allows(address) else { return .failure(.refused) }
        guard !trusted.contains(address.origin), address.origin.literal == nil else {
            return .success([:])
        }
        let addresses = await resolver.addresses(address.origin.host)
        guard let first = addresses.first else { return .failure(.unreachable) }
        guard addresses.allSatisfy(checks) else { return .failure(.refused) }
        return .success([address.origin.host: first.description])
    }

    private func ask(
        _ address: WebAddress, _ client: HTTPClient
    ) async -> Result<Answer, FetchError> {
        var request = HTTPClientRequest(url: address.description)
        request.headers.add(name: "user-agent", value: "MemoryTunes")
        do {
            let response = try await client.execute(request, timeout: .hours(1))
            switch response.status.code {
            case 200: return try await .success(.content(collect(response)))
            case 301, 302, 303, 307, 308:
                guard let link = response.headers.first(name: "location") else {
                    return .failure(.broken)
                }
                guard let next = address.following(link) else { return .failure(.refused) }
                return .success(.redirect(next))
            case let code: return .failure(.status(Int(code)))
            }
        } catch let error as FetchError {
            return .failure(error)
        } catch let error as HTTPClientError where error == .connectTimeout {
            return .failure(.unreachable)
        } catch is IOError, is NIOConnectionError {
            return .failure(.unreachable)
        } catch {
            return .failure(.broken)
        }
    }

    private func collect(_ response: HTTPClientResponse) async throws -> [UInt8] {
        if let length = response.headers.first(name: "content-length").flatMap({ Int($0) }),
            length > limits.bytes
        {
            throw FetchError.tooLarge
        }
        var bytes: [UInt8] = []
        for try await chunk in response.body {
            guard bytes.count + chunk.readableBytes <= limits.bytes else {
                throw FetchError.tooLarge
            }
            bytes.append(contentsOf: chunk.readableBytesView)
        }
        return bytes
    }
}
