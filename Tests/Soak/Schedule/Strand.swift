// SPDX-License-Identifier: MIT

import Foundation
import Glibc

/// One thread under a `Schedule`: it runs only while it has the baton.
///
/// Invariant behind `@unchecked`: every `var` is touched only under the schedule's mutex.
final class Strand: @unchecked Sendable {
    enum State {
        case ready
        /// Waits for a lock that another strand has.
        case blocked
        /// Runs, or waits for something that no point reports, without the baton.
        case stalled
        /// A worker without a job.
        case free
        case ended
    }

    let name: String
    var state: State
    var priority: Int
    /// What a worker runs next.
    var job: Schedule.Job?
    private let baton = DispatchSemaphore(value: 0)

    init(_ name: String, _ state: State, priority: Int) {
        self.name = name
        self.state = state
        self.priority = priority
    }

    func takeBaton() { baton.wait() }
    func giveBaton() { baton.signal() }

    /// Runs a body on a thread of its own, which is this strand from then on.
    func start(_ body: @escaping @Sendable () -> Void) {
        let start = Unmanaged.passRetained(Start(strand: self, body: body))
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { pointer in
                guard let pointer else { return nil }
                let start = Unmanaged<Start>.fromOpaque(pointer).takeRetainedValue()
                pthread_setspecific(
                    Strand.key, Unmanaged.passUnretained(start.strand).toOpaque())
                start.strand.takeBaton()
                start.body()
                return nil
            }, start.toOpaque())
        precondition(status == 0, "No thread could be made (error \(status)).")
        pthread_detach(thread)
    }

    /// The strand of the calling thread; nil on threads that are not scheduled.
    static var current: Strand? {
        pthread_getspecific(key).map {
            Unmanaged<Strand>.fromOpaque($0).takeUnretainedValue()
        }
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    private final class Start: Sendable {
        let strand: Strand
        let body: @Sendable () -> Void

        init(strand: Strand, body: @escaping @Sendable () -> Void) {
            self.strand = strand
            self.body = body
        }
    }
}
