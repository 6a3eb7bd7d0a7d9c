// SPDX-License-Identifier: MIT

internal import OnwardBridge

/// On which thread a ``Store`` calls its subscribers.
///
/// The thread that delivers is usually the one that dispatches, before its dispatch returns; while another
/// thread delivers, it is that one. The main actor calls at once when the main thread delivers, else as soon
/// as it has time; then a dispatch returns before it is notified. Order is the same everywhere.
public enum SubscriberDelivery: Sendable, Hashable, CaseIterable {
    /// Those that subscribe on the main thread on the main actor, all others by the thread that delivers.
    case automatic
    /// All on the main actor; one that subscribes elsewhere is notified for the first time a little later.
    case mainActor
    /// All by the thread that delivers: for programs whose main thread waits for others.
    case anyThread

    var thread: DeliveryThread {
        switch self {
        case .automatic: .automatic
        case .mainActor: .mainActor
        case .anyThread: .anyThread
        }
    }
}
