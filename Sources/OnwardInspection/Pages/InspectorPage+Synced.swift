// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal
public import OnwardSync

extension InspectorPage {
    /// A page about a client that is ahead of its server, as it is now: how it stands with the server, what is
    /// pending, and where what it shows differs from what is confirmed.
    ///
    /// ```swift
    /// let page = await InspectorPage.synced(client)
    /// inspector.attach(client.store, as: "app", pages: [page])
    /// ```
    ///
    /// The page doesn't keep the client alive. As long as the page is held, each change of the client costs
    /// O(pending actions).
    ///
    /// - Parameter client: The client; the page belongs to its store.
    /// - Returns: The page, `synced` in URLs.
    public static func synced<State: Codable & Sendable>(
        _ client: SyncedStore<State>
    ) async -> InspectorPage {
        let watch = await client.watch()
        var page = InspectorPage("synced", title: "Server and pending", isLive: true) { context in
            let look = watch.look()
            var blocks = look.status.blocks
            if !context.log.summary.isAtEnd {
                blocks.append(
                    .note("Another moment is shown: until then, what comes from the server waits."))
            }
            return blocks + look.pendingBlocks + look.differenceBlocks(within: context.limits)
        }
        page.revision = { watch.revision }
        return page
    }

    /// The maximum number of pending actions, and of differences.
    fileprivate static var mostItems: Int { mostRows / 2 - 10 }
}

extension SyncStatus {
    fileprivate var blocks: [PageBlock] {
        var rows: [[PageCell]] = [
            ["Server", isOnline ? "answers" : "doesn't answer"],
            ["Confirmed", "version \(confirmed)"],
            ["Pending", PageCell("\(pending)", aside: hidden > 0 ? "\(hidden) hidden" : "")],
            ["Refused", "\(refused)"],
        ]
        if let lastRefusal {
            let reason = lastRefusal.name.isEmpty ? lastRefusal.kind.rawValue : lastRefusal.name
            rows.append(["Last refusal", PageCell(lastRefusal.sentence, aside: reason)])
        }
        if let problem { rows.append(["Out of step", PageCell("\(problem)")]) }
        if let failure { rows.append(["Not kept here", PageCell(failure)]) }
        return [
            .table(
                [PageColumn("Client", hasWords: true), PageColumn("Now", hasWords: true)], rows)
        ]
    }
}

extension SyncLook {
    fileprivate var pendingBlocks: [PageBlock] {
        let heading = PageBlock.heading("Pending actions")
        if pending.isEmpty { return [heading, .note("The server has decided all.")] }
        let hasAddresses = pending.contains { !$0.address.isEmpty }
        let address = hasAddresses ? [PageColumn("Address", hasWords: true, isMinor: true)] : []
        let table = PageBlock.table(
            ["Number", PageColumn("Action", hasWords: true)] + address + ["Here"],
            pending.prefix(InspectorPage.mostItems).map { $0.cells(hasAddresses: hasAddresses) })
        var blocks = [heading, table]
        if pending.count > InspectorPage.mostItems {
            blocks.append(
                .note("The first \(InspectorPage.mostItems) of \(pending.count) pending actions."))
        }
        if pending.contains(where: \.isHidden) {
            blocks.append(
                .note("A hidden one is refused by a check on what others did; the server decides."))
        }
        return blocks
    }
}

extension SyncLook where State: Encodable {
    /// Where what shows differs from what is confirmed.
    fileprivate func differenceBlocks(within limits: QuestionLimits) -> [PageBlock] {
        let heading = PageBlock.heading("Ahead of the server")
        let changes: [DataChange]
        do {
            func value(_ state: State) throws -> DataValue {
                try DataValue(state, within: limits.scope(DataPath()))
            }
            let old = try value(confirmed)
            changes = try value(shown).changes(from: old, limit: InspectorPage.mostItems)
        } catch {
            return [heading, .note("The state can't be encoded: \(error)")]
        }
        if changes.isEmpty { return [heading, .note("What shows is what is confirmed.")] }
        let rows = changes.map { change -> [PageCell] in
            let change = StateChange(at: change.path, from: change.old, to: change.new)
            let path = "\(change.path)"
            return [
                PageCell(path.isEmpty ? "state" : path, isCode: true, link: .state(path: path)),
                PageCell(change.old, isCode: true), PageCell(change.new, isCode: true),
            ]
        }
        let table = PageBlock.table(
            [
                PageColumn("Where", hasWords: true), PageColumn("Confirmed", hasWords: true),
                PageColumn("Shown", hasWords: true),
            ], rows)
        guard changes.count == InspectorPage.mostItems else { return [heading, table] }
        return [heading, table, .note("The first \(changes.count) differences.")]
    }
}

extension SyncLook.Pending {
    fileprivate func cells(hasAddresses: Bool) -> [PageCell] {
        let value = try? DataFormat.cbor.value(of: payload).unstamped().payload
        let preview = value.map { Words.withShortIDs($0.preview(160)) } ?? ""
        let here = isReadable ? isHidden ? "hidden" : "shows" : "unreadable"
        let address = hasAddresses ? [PageCell(address)] : []
        return [PageCell("\(id.number)", hint: "\(id)"), PageCell(name, aside: preview)] + address
            + [PageCell(here, aside: isSent ? "sent" : "")]
    }
}
