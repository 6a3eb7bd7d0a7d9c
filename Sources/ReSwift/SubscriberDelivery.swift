// SPDX-License-Identifier: MIT

internal import OnwardBridge

/// The thread on which a ``Store`` calls its subscribers.
///
/// The delivering thread is usually the one that dispatches, before its dispatch returns; while
/// another thread delivers, it is that one. The main actor calls at once when the main thread
/// delivers, else as soon as it is free; then a dispatch returns before its subscribers are
/// notified. The order is always the same.
public enum SubscriberDelivery: Sendable, Hashable, CaseIterable {
    /// The main actor for those that subscribe on the main thread, the delivering thread for
    /// others.
    case automatic
    /// The main actor for all; those that subscribe elsewhere get their first call a little later.
    case mainActor
    /// The delivering thread for all: for programs whose main thread waits for others.
    case anyThread

    var thread: DeliveryThread {
        switch self {
        case .automatic: .automatic
        case .mainActor: .mainActor
        case .anyThread: .anyThread
        }
    }
}
