// SPDX-License-Identifier: MIT

/// What is shown, what should be shown, and hence the next step.
struct NavigationPlan<Element: Equatable & Sendable>: Sendable {
    /// What is shown when the step under way is done.
    private(set) var shown: [Element]
    /// What is to be shown.
    private var target: [Element]
    /// Whether a step is under way.
    private var isMoving = false
    private var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    /// The tasks that were cancelled before they waited.
    private var cancelled: Set<Int> = []
    private var lastTicket = 0
    private var isOver = false

    init(shown: [Element]) {
        self.shown = shown
        target = shown
    }

    /// Aims at another stack; the step under way isn't called back.
    mutating func aim(at target: [Element]) {
        self.target = target
    }

    /// The step to take now, after the previous one is done; nil if the target is shown.
    mutating func next() -> NavigationStep<Element>? {
        let step = isOver ? nil : NavigationStep.steps(from: shown, to: target).first
        isMoving = step != nil
        switch step {
        case .pop: shown.removeLast()
        case .change(_, let new, let index): shown[index] = new
        case .push(let new, _): shown.append(new)
        case nil: break
        }
        return step
    }

    /// A number for a task that is going to wait for rest.
    mutating func makeTicket() -> Int {
        lastTicket += 1
        return lastTicket
    }

    /// Makes a task wait for rest; false if the plan is already at rest, or the task cancelled.
    mutating func wait(
        _ continuation: CheckedContinuation<Void, Never>, _ ticket: Int
    ) -> Bool {
        if cancelled.remove(ticket) != nil { return false }
        if isOver || (!isMoving && shown == target) { return false }
        waiting[ticket] = continuation
        return true
    }

    /// The task waits no longer, or never will.
    mutating func cancel(_ ticket: Int) -> CheckedContinuation<Void, Never>? {
        let continuation = waiting.removeValue(forKey: ticket)
        if continuation == nil { cancelled.insert(ticket) }
        return continuation
    }

    /// The task is done waiting.
    mutating func forget(_ ticket: Int) { cancelled.remove(ticket) }

    /// The tasks that waited for rest, which is now reached.
    mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
        guard isOver || (!isMoving && shown == target) else { return [] }
        defer { waiting = [:] }
        return Array(waiting.values)
    }

    /// No further step is taken.
    mutating func end() {
        isOver = true
    }
}
