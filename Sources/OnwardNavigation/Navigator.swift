// SPDX-License-Identifier: MIT

public import OnwardCore

/// Keeps a ``NavigationDriver`` in step with a stack of routes in the state.
///
/// It takes the steps of ``NavigationStep/steps(from:to:)`` one after another. Each is chosen when
/// the previous one is done, leading from what is shown then to the newest stack. So what came and
/// went while the driver was busy is never shown.
///
/// It ends when it is released; the step under way is finished.
public final class Navigator<Route: Equatable & Sendable>: Sendable {
    private let plan: Guarded<NavigationPlan<RouteLevel<Route>>>
    private let signal: AsyncStream<Void>.Continuation
    private let subscription: Subscription

    /// Creates a navigator, and begins to show a stack.
    ///
    /// - Parameters:
    ///   - path: The stack in the state.
    ///   - store: The store of the state.
    ///   - shown: What the driver already shows; nothing by default, so that the root is pushed.
    ///   - patience: How long a step may take, on the store's clock, before the driver is reported.
    ///   - driver: The driver that shows the stack. Kept until the navigator ends.
    public init<State: Sendable, Driver: NavigationDriver<Route>>(
        showing path: any KeyPath<State, RouteStack<Route>> & Sendable, of store: Store<State>,
        from shown: [RouteLevel<Route>] = [], patience: Duration = .seconds(30),
        with driver: Driver
    ) {
        let plan = Guarded(NavigationPlan(shown: shown))
        let (signals, signal) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.plan = plan
        self.signal = signal
        subscription = store.subscribe(path, initially: true) { _, stack in
            plan.withValue { $0.aim(at: stack.levels) }
            signal.yield()
        }
        let options = store.engine.options
        Task {
            for await _ in signals {
                while let step = plan.withValue({ $0.next() }) {
                    let watch = Task {
                        guard (try? await options.clock.sleep(for: patience)) != nil else { return }
                        options.report(.endlessNavigation("\(step)", by: Driver.self, patience))
                    }
                    await driver.perform(step)
                    watch.cancel()
                }
                plan.withValue { $0.takeWaiting() }.forEach { $0.resume() }
            }
        }
    }

    deinit {
        subscription.cancel()
        plan.withValue { $0.end() }
        signal.finish()
    }

    /// Waits until the driver shows the stack that the store delivered last, or the task is
    /// cancelled.
    ///
    /// Actions from other threads may still be under way; to wait for them first, use
    /// `await store.waitUntilIdle()`.
    public func rest() async {
        let plan = plan
        let ticket = plan.withValue { $0.makeTicket() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = plan.withValue { $0.wait(continuation, ticket) }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            plan.withValue { $0.cancel(ticket) }?.resume()
        }
        plan.withValue { $0.forget(ticket) }
    }
}
