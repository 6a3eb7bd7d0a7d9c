// SPDX-License-Identifier: MIT

/// One segment of a route.
public typealias RouteElement = String

/// The earlier name of ``RouteElement``.
public typealias RouteElementIdentifier = RouteElement

/// What is shown, from the root to the top: a sequence of identifiers.
public typealias Route = [RouteElement]
