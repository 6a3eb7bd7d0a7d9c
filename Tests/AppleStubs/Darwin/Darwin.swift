// SPDX-License-Identifier: MIT

// What Darwin calls differently from Glibc, with Darwin's types, as far as the library uses it: `scripts/check-darwin`
// compiles against it. Nothing here is ever called.

@_exported import Glibc

public let F_FULLFSYNC: Int32 = 51
public let RLIMIT_NOFILE: Int32 = 8

public func getrlimit(_ resource: Int32, _ limit: UnsafeMutablePointer<rlimit>) -> Int32 { -1 }

public struct os_unfair_lock {
    public init() {}
}

public func os_unfair_lock_lock(_ lock: UnsafeMutablePointer<os_unfair_lock>) {}
public func os_unfair_lock_trylock(_ lock: UnsafeMutablePointer<os_unfair_lock>) -> Bool { true }
public func os_unfair_lock_unlock(_ lock: UnsafeMutablePointer<os_unfair_lock>) {}
