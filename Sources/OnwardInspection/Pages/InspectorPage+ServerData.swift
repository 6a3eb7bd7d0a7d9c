// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal
public import OnwardQueries

extension InspectorPage {
    /// A page about what an app has of a server, after the selected entry: the keys and what their
    /// answers are worth, the requests of late on one time axis, and the mutations that are pending.
    ///
    /// ```swift
    /// inspector.attach(
    ///     store, as: "app", pages: [.serverData(.answers(\App.pages), .pending(\App.server))])
    /// ```
    ///
    /// - Parameter parts: The parts of the state that have it, in the order of the page.
    /// - Returns: The page, `server-data` in URLs.
    public static func serverData<State: Sendable>(
        _ parts: ServerDataPart<State>...
    ) -> InspectorPage {
        serverData(parts, now: Timestamp.now)
    }

    static func serverData<State: Sendable>(
        _ parts: [ServerDataPart<State>], now: @escaping @Sendable () -> Timestamp
    ) -> InspectorPage {
        InspectorPage("server-data", title: "Server data", asking: ServerDataFilter()) {
            filter, context in
            guard let state: State = context.state() else {
                return [.note("The log has no state here, or one of another type.")]
            }
            let isNewest = context.entry == context.log.summary.newestID
            let time = context.log.entry(context.entry)?.line.time ?? 0
            // At an earlier entry answers are as old as they were then.
            let moment = isNewest || time == 0 ? now() : Timestamp(nanosecondsSince1970: time)
            return parts.flatMap { $0.blocks(state, filter, context, moment) }
        }
    }
}

/// Which keys are shown.
struct ServerDataFilter: Codable, Sendable {
    /// A text that they have, ignoring case; empty for all.
    var key = ""
    /// Whether those that nobody wants are left out.
    var wanted = false

    func includes(_ key: String) -> Bool {
        self.key.isEmpty || key.lowercased().contains(self.key.lowercased())
    }
}

/// A part of the state for ``InspectorPage/serverData(_:)``.
public struct ServerDataPart<State: Sendable>: Sendable {
    let blocks: @Sendable (State, ServerDataFilter, PageContext, Timestamp) -> [PageBlock]

    /// The answers to a query: its keys, and its requests.
    public static func answers<Q: Query>(
        _ path: any KeyPath<State, QueryCache<Q>> & Sendable
    ) -> ServerDataPart {
        ServerDataPart { state, filter, context, now in
            let cache = state[keyPath: path]
            return [.heading("Answers to \(Q.name)")] + cache.keys(filter, now)
                + RequestLog(of: Q.self, in: context).blocks
        }
    }

    /// A list in pages: its pages, and their requests.
    public static func list<Q: PagedQuery>(
        _ path: any KeyPath<State, PagedList<Q>> & Sendable
    ) -> ServerDataPart {
        ServerDataPart { state, filter, context, now in
            let list = state[keyPath: path]
            return [
                .heading("Pages of \(Q.name)"),
                .note("\(list.rows.count) rows of \(list.shown.count) pages are shown."),
            ] + list.pages.keys(filter, now) + RequestLog(of: PageQuery<Q>.self, in: context).blocks
        }
    }

    /// The mutations that a server has not confirmed.
    public static func pending<Base: Sendable>(
        _ path: any KeyPath<State, Overlaid<Base>> & Sendable
    ) -> ServerDataPart {
        ServerDataPart { state, _, _, _ in
            let data = state[keyPath: path]
            var blocks: [PageBlock] = [.heading("Pending mutations")]
            if data.pending.isEmpty { blocks.append(.note("The server has confirmed all.")) }
            blocks.append(
                .table(
                    [
                        "Number", PageColumn("Mutation", hasWords: true),
                        PageColumn("Phase", hasWords: true), "Sent",
                        PageColumn("Kept", hasWords: true, isMinor: true),
                    ],
                    data.pending.prefix(InspectorPage.mostRows).map { pending in
                        [
                            "\(pending.id)",
                            PageCell(pending.mutation.wireName, aside: preview(pending.mutation)),
                            "\(pending.phase.rawValue)", "\(pending.attempts)×",
                            pending.isDurable ? "outlives the program" : "",
                        ]
                    }))
            if data.isPaused {
                blocks.append(.note("Paused: nothing more is sent until the app sends again."))
            }
            if data.overflow > 0 {
                blocks.append(.note("\(data.overflow) were not taken, as too many were pending."))
            }
            return blocks
        }
    }
}

/// The beginning of a value.
private func preview(_ value: some Encodable) -> String {
    (try? DataValue(encoding: value))?.preview(120) ?? ""
}

// MARK: - Keys

extension QueryCache {
    fileprivate func keys(_ filter: ServerDataFilter, _ now: Timestamp) -> [PageBlock] {
        let names = entries.lazy.map { ($0, name: preview($0.id)) }
            .filter { filter.includes($0.name) && ($0.0.isWanted || !filter.wanted) }
        let rows = names.prefix(InspectorPage.mostRows).map { entry, name in
            [
                PageCell(name, isCode: true), PageCell(entry.word, aside: entry.reason),
                "\(entry.age(at: now))", PageCell(holders(of: entry)),
                PageCell(entry.tags.map(\.word).joined(separator: ", ")),
            ]
        }
        let sizes =
            "\(entries.count) keys, answers of \(Words.bytes(byteCount)) as they are measured."
        guard !rows.isEmpty else {
            return [.note(entries.isEmpty ? "Nothing was wanted yet." : "No key is like that.")]
        }
        return [
            .table(
                [
                    "Key", PageColumn("Answer", hasWords: true), "Age",
                    PageColumn("Wanted by", hasWords: true),
                    PageColumn("Tags", hasWords: true, isMinor: true),
                ], Array(rows)), .note(sizes),
        ]
    }

    /// Who wants a key.
    private func holders(of entry: QueryEntry<Q>) -> String {
        guard entry.isWanted else { return "" }
        return held.contains(entry.id) ? "a handle" : "the state"
    }
}

extension QueryEntry {
    /// What the answer is worth.
    fileprivate var word: String {
        let word =
            switch status {
            case .idle: "none"
            case .loading: "none yet"
            case .fresh: "fresh"
            case .stale: "stale"
            case .failed: "failed"
            }
        return isFetching ? word + ", asked for" : word
    }

    fileprivate var reason: String { failure.map { preview($0) } ?? "" }

    fileprivate func age(at now: Timestamp) -> String {
        guard let answeredAt else { return "" }
        let (age, isTooLong) = now.nanosecondsSince1970.subtractingReportingOverflow(
            answeredAt.nanosecondsSince1970)
        return isTooLong ? "" : Words.span(max(age, 0))
    }
}

extension QueryTag {
    fileprivate var word: String { id.map { "\(name) \($0)" } ?? name }
}

// MARK: - Requests

/// The requests of a query up to the selected entry, as the log has them.
private struct RequestLog<Q: Query> {
    private struct Request {
        let number: String
        let entry: Int
        var key: String
        var start: Int64
        var end: Int64?
        var outcome = "under way"
        var attempts = 1
    }

    /// How many entries are looked at.
    private static var mostEntries: Int { 200 }

    private var requests: [Request] = []

    init(of query: Q.Type, in context: PageContext) {
        var question = EntryQuery()
        question.types = Set(["asked", "answered", "failed"].map { "\(Q.name)/\($0)" })
        question.limit = Self.mostEntries
        if let moment = context.log.moment(after: context.entry) {
            question.start = .before(moment + 1)
        }
        for line in context.log.entries(question).entries {
            guard !context.isOver else { return }
            note(line, context.log.entry(line.id)?.payload.parts ?? [])
        }
    }

    private mutating func note(_ line: EntryLine, _ parts: [StateNode]) {
        guard let number = parts.first(where: { $0.step == "request" })?.text else { return }
        let index = requests.lastIndex { $0.number == number }
        guard line.name == "\(Q.name)/asked" else {
            guard let index else { return }
            requests[index].end = line.time
            requests[index].outcome = line.name == "\(Q.name)/failed" ? "failed" : "answered"
            return
        }
        if let index {
            requests[index].attempts += 1
            return
        }
        let key = parts.first { $0.step == "value" }
        requests.append(
            Request(number: number, entry: line.id, key: key?.text ?? "", start: line.time))
    }

    var blocks: [PageBlock] {
        let shown = requests.suffix(50)
        guard let first = shown.map(\.start).min(),
            let last = shown.map({ $0.end ?? $0.start }).max()
        else { return [] }
        let width = Double(max(last - first, 1))
        func place(_ time: Int64) -> Int { Int(Double(time - first) * 1_000 / width) }
        return [
            .table(
                [
                    "Request", PageColumn("Asked", hasWords: true), "Took",
                    PageColumn("Time", hasWords: true),
                    PageColumn("Outcome", hasWords: true, isMinor: true),
                ],
                shown.reversed().map { request in
                    [
                        PageCell(request.number, link: .entry(request.entry)),
                        PageCell(request.key, isCode: true),
                        PageCell(request.end.map { Words.span($0 - request.start) } ?? ""),
                        PageCell(
                            "",
                            bar: PageBar(
                                start: place(request.start), end: place(request.end ?? last))),
                        PageCell(
                            request.outcome,
                            aside: request.attempts > 1 ? "\(request.attempts) attempts" : ""),
                    ]
                }), .note("The requests of late, over \(Words.span(last - first))."),
        ]
    }
}
