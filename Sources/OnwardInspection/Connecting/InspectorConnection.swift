// SPDX-License-Identifier: MIT

internal import Foundation
public import Onward
internal import OnwardJournal

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// Shows stores of this process in an inspector elsewhere: for a device, or without a server.
///
/// ```swift
/// let connection = InspectorConnection()      // to the address in ONWARD_INSPECTOR; nothing happens without
/// connection.attach(store, as: "shop")
/// await connection.run()
/// ```
///
/// The app connects to the inspector by HTTP, and is asked for what the page shows: a page of the
/// log, a part of a state, a difference. If the inspector is away or slow, the app continues as
/// usual: nothing waits for it, and nothing is kept for it but the history of each store, which has
/// a limit. See <doc:InspectingDevices>.
public final class InspectorConnection: Sendable {
    /// The status of the connection.
    public enum Status: Sendable, Hashable {
        /// No address was given: nothing is recorded or sent.
        case off
        /// The inspector has not answered yet or no longer does, for this reason; it is retried.
        case away(reason: String)
        /// The inspector sees the stores.
        case connected
    }

    /// Posts bytes below the inspector's address.
    package typealias Post =
        @Sendable (_ path: String, _ body: [UInt8]) async throws -> (status: Int, bytes: [UInt8])

    private let stores = StoreList()
    private let greeting: Greeting
    private let post: Post?
    private let current: Guarded<Status>
    private let clock: any Clock<Duration>

    /// Creates a connection without connecting yet.
    ///
    /// - Parameters:
    ///   - address: The address of an inspector's page, such as
    ///     `http://192.168.1.20:8081/?token=K7Q2-9XMD`; by default that in the environment variable
    ///     `ONWARD_INSPECTOR`. Without either, or if the address can't be read, the connection is
    ///     off.
    ///   - app: The name of the app; by default that of the program.
    public convenience init(to address: String? = nil, app: String? = nil) {
        let known = address.map { InspectorAddress($0) } ?? InspectorAddress()
        let process = ProcessInfo.processInfo
        self.init(
            Greeting(
                app: app ?? process.processName, process: Int(process.processIdentifier)),
            clock: ContinuousClock(), by: known.map(Self.post))
    }

    /// Creates a connection over other means than the network, with a clock.
    package init(_ greeting: Greeting, clock: any Clock<Duration>, by post: Post?) {
        self.greeting = greeting
        self.post = post
        self.clock = clock
        current = Guarded(post == nil ? .off : .away(reason: "It has not been asked yet."))
    }

    /// The current status of the connection.
    public var status: Status { current.withValue { $0 } }

    /// Starts recording a store, and shows it; does nothing if the connection is off.
    ///
    /// The connection doesn't keep the store alive. It controls it as a gate: attach it before
    /// other gates of the store.
    ///
    /// - Parameters:
    ///   - store: The store of a whole app.
    ///   - name: The name of the store. At most 64 stores are shown.
    ///   - limit: The maximum number of entries; older ones are folded into the base.
    ///   - pages: Pages that this store has in the inspector. They are asked here, in the app.
    public func attach<State: Codable & Sendable>(
        _ store: Store<State>, as name: String = "store", limit: Int = 10_000,
        pages: [InspectorPage] = []
    ) {
        if post != nil { _ = stores.attach(store, as: name, limit: limit, pages: pages) }
    }

    /// Records and shows a store whose state isn't `Codable`: by reflection, without a log file.
    ///
    /// Otherwise like attaching a store with a `Codable` state.
    public func attach<State: Sendable>(
        _ store: Store<State>, as name: String = "store", limit: Int = 10_000,
        pages: [InspectorPage] = []
    ) {
        if post != nil { _ = stores.attach(store, as: name, limit: limit, pages: pages) }
    }

    // MARK: Running

    /// Connects, answers, and reconnects after the inspector was away, until the task is cancelled.
    ///
    /// Returns at once if the connection is off. Answers are found on threads of their own, within
    /// limits of time and memory, never in a dispatch or on the threads of other tasks.
    ///
    /// - Parameter onChange: Called in this task when the status changes.
    public func run(onChange: @Sendable (Status) -> Void = { _ in }) async {
        guard let post else { return }
        var pause = Pause()
        while !Task.isCancelled {
            do {
                let welcome: Welcome = try await send(greeting, to: "connect", post)
                set(.connected, onChange)
                pause = Pause()
                try await serve(welcome.key, post)
            } catch {
                set(.away(reason: "\(error.localizedDescription)"), onChange)
            }
            try? await clock.sleep(for: pause.next(), tolerance: nil)
        }
    }

    private func set(_ status: Status, _ onChange: (Status) -> Void) {
        let isNew = current.withValue { current in
            defer { current = status }
            return current != status
        }
        if isNew { onChange(status) }
    }

    /// Reports what is new, and answers questions, until that fails.
    private func serve(_ key: String, _ post: Post) async throws {
        let answers = PendingAnswers(InspectorInterface(stores: stores))
        while !Task.isCancelled {
            let pending = answers.pending
            let news = News(stores: storeNews(), answers: answers.take(), pending: pending)
            let orders: Orders = try await send(news, to: "exchange/\(key)", post)
            answers.cancel(orders.cancelled)
            for order in orders.requests.prefix(ConnectionLimits.requests) { answers.begin(order) }
            await answers.settle(within: ConnectionLimits.settling, on: clock)
        }
    }

    private func storeNews() -> [News.Store] {
        stores.removeEmpty()
        return stores.all.prefix(ConnectionLimits.stores).map { name, store in
            News.Store(
                name: name, log: store.summary, isEnded: store.isEnded,
                pages: stores.pages(of: store).map(\.summary))
        }
    }

    private func send<Answer: Decodable>(
        _ message: some Encodable, to path: String, _ post: Post
    ) async throws -> Answer {
        let body = DataFormat.json.bytes(of: try DataValue(encoding: message))
        let (status, bytes) = try await post(path, body)
        guard status == 200 else { throw Refusal(status: status, bytes) }
        return try DataFormat.json.value(of: bytes, limits: ConnectionLimits.message).decoded()
    }

    // MARK: By the network

    private static func post(to address: InspectorAddress) -> Post {
        let client = WebClient()
        let (seconds, _) = ConnectionLimits.patience.components
        return { path, body in
            let text = "\(address.base)/apps/v\(ConnectionLimits.version)/\(path)"
            guard let url = URL(string: text) else { throw URLError(.badURL) }
            var request = URLRequest(url: url, timeoutInterval: TimeInterval(seconds))
            request.httpMethod = "POST"
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            if let token = address.token {
                request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
            }
            request.httpBody = Data(body)
            return try await client.run(request, limit: ConnectionLimits.message.bytes)
        }
    }

    /// How long to wait before the next attempt: longer each time, up to ten seconds.
    private struct Pause {
        private var last = Duration.milliseconds(250)

        mutating func next() -> Duration {
            last = min(last * 2, .seconds(10))
            return last
        }
    }

    /// The inspector refuses access, or no longer knows the app.
    private struct Refusal: LocalizedError {
        let status: Int
        let sentence: String?

        init(status: Int, _ bytes: [UInt8]) {
            self.status = status
            sentence =
                (try? DataFormat.json.value(of: bytes, limits: ConnectionLimits.message))?[
                    "message"]?
                .text
        }

        var errorDescription: String? {
            switch status {
            case 401: "The inspector asks for another code than was given: see ONWARD_INSPECTOR."
            case 404: sentence ?? "What answers is no inspector."
            default: sentence ?? "The inspector refuses (status \(status))."
            }
        }
    }
}
