// SPDX-License-Identifier: MIT

import ReSwift
import ReSwiftRouter

/// A user interface that writes down what it is asked to do.
final class Stage: @unchecked Sendable {  // Routables and tests use it on the main actor only.
    /// Completes steps by itself.
    var isPrompt = true
    private(set) var held: [RoutingCompletionHandler] = []
    private let write: AsyncStream<String>.Continuation
    private var lines: AsyncStream<String>.Iterator

    init() {
        let (stream, write) = AsyncStream.makeStream(of: String.self)
        self.write = write
        lines = stream.makeAsyncIterator()
    }

    /// Takes note of a step, and completes it or keeps its completion handler.
    fileprivate func perform(_ line: String, _ complete: @escaping RoutingCompletionHandler) {
        write.yield(line)
        if isPrompt { complete() } else { held.append(complete) }
    }

    /// Completes the step that has waited longest.
    func complete() { held.removeFirst()() }

    /// Releases the completion handler of the step that has waited longest.
    func forget() { held.removeFirst() }

    /// The next steps.
    func next(
        _ count: Int, isolation: isolated (any Actor)? = #isolation
    ) async -> [String] {
        var iterator = lines
        var result: [String] = []
        for _ in 0..<count {
            if let line = await iterator.next(isolation: isolation) { result.append(line) }
        }
        lines = iterator
        return result
    }
}

/// Shows what comes after the segment that it is named after.
struct Player: Routable, @unchecked Sendable {
    let name: String
    let stage: Stage

    func pushRouteSegment(
        _ routeElementIdentifier: RouteElementIdentifier, animated: Bool,
        completionHandler: @escaping RoutingCompletionHandler
    ) -> any Routable {
        perform("\(name) push \(routeElementIdentifier)", animated, completionHandler)
        return Player(name: routeElementIdentifier, stage: stage)
    }

    func popRouteSegment(
        _ routeElementIdentifier: RouteElementIdentifier, animated: Bool,
        completionHandler: @escaping RoutingCompletionHandler
    ) {
        perform("\(name) pop \(routeElementIdentifier)", animated, completionHandler)
    }

    func changeRouteSegment(
        _ from: RouteElementIdentifier, to: RouteElementIdentifier, animated: Bool,
        completionHandler: @escaping RoutingCompletionHandler
    ) -> any Routable {
        perform("\(name) change \(from) to \(to)", animated, completionHandler)
        return Player(name: to, stage: stage)
    }

    private func perform(
        _ line: String, _ animated: Bool, _ complete: @escaping RoutingCompletionHandler
    ) {
        MainActor.assertIsolated("A routable was called elsewhere.")
        stage.perform(line + (animated ? "" : " at once"), complete)
    }
}
