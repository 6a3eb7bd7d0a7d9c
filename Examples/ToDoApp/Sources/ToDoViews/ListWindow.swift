// SPDX-License-Identifier: MIT

public import OnwardSync
public import SwiftUI
public import ToDoShared

/// A window that shows the list as soon as what the device has kept is read.
public struct ListWindow: View {
    private let open: @Sendable () async throws -> SyncedStore<SharedList>
    @State private var synced: SyncedStore<SharedList>?
    @State private var problem: String?

    /// A window of a client.
    ///
    /// - Parameter open: Makes the client, or returns the one that other windows have.
    public init(open: @escaping @Sendable () async throws -> SyncedStore<SharedList>) {
        self.open = open
    }

    /// The list, or why there is none.
    public var body: some View {
        VStack {
            if let synced { ListView(synced) } else { Text(problem ?? "Opening the list …") }
        }
        .task { @MainActor in
            do { synced = try await open() } catch { problem = "\(error)" }
        }
    }
}
