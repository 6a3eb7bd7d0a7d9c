// SPDX-License-Identifier: MIT

/// One segment of a route.
public typealias RouteElementIdentifier = String

/// What is shown, from the root to the top: a sequence of identifiers.
public typealias Route = [RouteElementIdentifier]
