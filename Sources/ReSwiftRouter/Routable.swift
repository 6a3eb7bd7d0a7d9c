// SPDX-License-Identifier: MIT

/// A closure to call when a segment is shown, or no longer is.
public typealias RoutingCompletion = () -> Void

/// The earlier name of ``RoutingCompletion``.
public typealias RoutingCompletionHandler = RoutingCompletion

/// Shows what comes after one segment of a route: pushes, pops and changes its child.
///
/// It is called on the main actor. A router takes the next step once the completion handler was
/// called; a handler released without a call counts as called.
///
/// Each method has the names of all versions; implement one of them.
public protocol Routable {
    /// Shows a child.
    ///
    /// - Returns: The routable that shows the screens after the child.
    func pushRouteSegment(
        _ routeElementIdentifier: RouteElementIdentifier, animated: Bool,
        completionHandler: @escaping RoutingCompletionHandler
    ) -> any Routable

    /// Hides the child.
    func popRouteSegment(
        _ routeElementIdentifier: RouteElementIdentifier, animated: Bool,
        completionHandler: @escaping RoutingCompletionHandler)

    /// Replaces the child with another one.
    ///
    /// - Returns: The routable that shows the screens after the new child.
    func changeRouteSegment(
        _ from: RouteElementIdentifier, to: RouteElementIdentifier, animated: Bool,
        completionHandler: @escaping RoutingCompletionHandler
    ) -> any Routable

    /// Shows a child; a later name of `pushRouteSegment`, which it calls unless implemented.
    func push(
        _ element: RouteElement, animated: Bool, completionHandler: @escaping RoutingCompletion
    ) -> any Routable

    /// Hides the child; a later name of `popRouteSegment`, which it calls unless implemented.
    func pop(
        _ element: RouteElement, animated: Bool, completionHandler: @escaping RoutingCompletion)

    /// Replaces the child; a later name of `changeRouteSegment`, which it calls unless implemented.
    func change(
        _ from: RouteElement, to: RouteElement, animated: Bool,
        completionHandler: @escaping RoutingCompletion
    ) -> any Routable

    /// Shows a child; the newest name of the method, which calls the one before unless implemented.
    func push(
        _ element: RouteElement, animated: Bool, completion: @escaping RoutingCompletion
    ) -> any Routable

    /// Hides the child; the newest name of the method, which calls the one before unless
    /// implemented.
    func pop(_ element: RouteElement, animated: Bool, completion: @escaping RoutingCompletion)

    /// Replaces the child; the newest name of the method, which calls the one before unless
    /// implemented.
    func change(
        _ from: RouteElement, to: RouteElement, animated: Bool,
        completion: @escaping RoutingCompletion
    ) -> any Routable
}

extension Routable {
    /// Stops the program: this routable cannot show a child.
    public func pushRouteSegment(
        _ routeElementIdentifier: RouteElementIdentifier, animated: Bool,
        completionHandler: @escaping RoutingCompletionHandler
    ) -> any Routable {
        preconditionFailure(
            Self.isMissing("pushRouteSegment", "push \"\(routeElementIdentifier)\""))
    }

    /// Stops the program: this routable cannot hide a child.
    public func popRouteSegment(
        _ routeElementIdentifier: RouteElementIdentifier, animated: Bool,
        completionHandler: @escaping RoutingCompletionHandler
    ) {
        preconditionFailure(Self.isMissing("popRouteSegment", "pop \"\(routeElementIdentifier)\""))
    }

    /// Stops the program: this routable cannot change its child.
    public func changeRouteSegment(
        _ from: RouteElementIdentifier, to: RouteElementIdentifier, animated: Bool,
        completionHandler: @escaping RoutingCompletionHandler
    ) -> any Routable {
        preconditionFailure(
            Self.isMissing("changeRouteSegment", "change \"\(from)\" to \"\(to)\""))
    }

    /// Calls `pushRouteSegment`.
    public func push(
        _ element: RouteElement, animated: Bool, completionHandler: @escaping RoutingCompletion
    ) -> any Routable {
        pushRouteSegment(element, animated: animated, completionHandler: completionHandler)
    }

    /// Calls `popRouteSegment`.
    public func pop(
        _ element: RouteElement, animated: Bool, completionHandler: @escaping RoutingCompletion
    ) {
        popRouteSegment(element, animated: animated, completionHandler: completionHandler)
    }

    /// Calls `changeRouteSegment`.
    public func change(
        _ from: RouteElement, to: RouteElement, animated: Bool,
        completionHandler: @escaping RoutingCompletion
    ) -> any Routable {
        changeRouteSegment(
            from, to: to, animated: animated, completionHandler: completionHandler)
    }

    /// Calls `push` with a completion handler.
    public func push(
        _ element: RouteElement, animated: Bool, completion: @escaping RoutingCompletion
    ) -> any Routable {
        push(element, animated: animated, completionHandler: completion)
    }

    /// Calls `pop` with a completion handler.
    public func pop(
        _ element: RouteElement, animated: Bool, completion: @escaping RoutingCompletion
    ) {
        pop(element, animated: animated, completionHandler: completion)
    }

    /// Calls `change` with a completion handler.
    public func change(
        _ from: RouteElement, to: RouteElement, animated: Bool,
        completion: @escaping RoutingCompletion
    ) -> any Routable {
        change(from, to: to, animated: animated, completionHandler: completion)
    }

    static func isMissing(_ method: String, _ step: String) -> String {
        """
        \(Self.self) was asked to \(step), but has no such method: the route in the state leads there. \
        To fix this, implement \(method) in \(Self.self), or do not set such a route.
        """
    }
}
