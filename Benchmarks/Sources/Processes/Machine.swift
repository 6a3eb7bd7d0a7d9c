// SPDX-License-Identifier: MIT

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What the system says to a process, and lets it do.
package enum Machine {
    /// The time since the machine started, in nanoseconds, the same for all of its processes.
    package static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
    }

    /// The processor time that this process has taken, in nanoseconds.
    package static var processorTime: Int {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
    }

    /// Blocks the thread.
    package static func sleep(milliseconds: Int) { sleep(microseconds: milliseconds * 1_000) }

    /// Blocks the thread.
    package static func sleep(microseconds: Int) { usleep(UInt32(microseconds)) }

    /// Raises the limit of open files, which sockets count as.
    package static func allowOpenFiles(_ count: Int) throws {
        var limit = rlimit()
        #if canImport(Darwin)
        let files = RLIMIT_NOFILE
        #else
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #endif
        getrlimit(files, &limit)
        guard limit.rlim_cur < count else { return }
        limit.rlim_cur = min(rlim_t(count), limit.rlim_max)
        guard limit.rlim_cur >= count, setrlimit(files, &limit) == 0 else {
            throw Failure("\(count) files have to be open, but only \(limit.rlim_max) may be.")
        }
    }

    /// The memory this process has in use, in bytes; where the system doesn't say, the most it had.
    package static var residentMemory: Int {
        #if canImport(Darwin)
        var usage = rusage()
        getrusage(RUSAGE_SELF, &usage)
        return usage.ru_maxrss
        #else
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var text = [CChar](repeating: 0, count: 128)
        fgets(&text, Int32(text.count - 1), file)
        let words = String(decoding: text.map { UInt8($0) }, as: UTF8.self).split(separator: " ")
        return (words.count > 1 ? Int(words[1]) ?? 0 : 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
        #endif
    }
}
