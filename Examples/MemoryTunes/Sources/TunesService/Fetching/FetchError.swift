// SPDX-License-Identifier: MIT

/// Why something on the web wasn't fetched.
enum FetchError: Error, Equatable {
    /// The address, or one that it redirects to, isn't one we ask.
    case refused
    case unreachable
    case timedOut
    case tooManyRedirects
    case tooLarge
    /// What answered doesn't speak HTTP, or broke off.
    case broken
    case status(Int)
}
