// SPDX-License-Identifier: MIT

// What a history contains that changes what may be expected of it.

extension History {
    private func contains(_ isMeant: (Step) -> Bool) -> Bool {
        func search(_ step: Step) -> Bool {
            if isMeant(step) { return true }
            guard case .batch(let steps) = step else { return false }
            return steps.contains(where: search)
        }
        return threads.contains { $0.steps.contains(where: search) }
    }

    var hasBatches: Bool {
        contains { step in
            switch step {
            case .batch: true
            case .subscribe(let listening):
                if case .batch = listening.reaction { true } else { false }
            default: false
            }
        }
    }

    var travels: Bool { contains { if case .travel = $0 { true } else { false } } }

    var steersCommitGate: Bool {
        contains { if case .takeCommitGate = $0 { true } else { false } }
    }

    /// Whether rows go away.
    var rowsGo: Bool {
        contains { step in
            switch step {
            case .dispatch(.removeRow), .dispatch(.replaceRow), .travel: true
            default: false
            }
        }
    }

    var endsEarly: Bool { contains { $0 == .shutdown } }

    /// Whether effects may be held back or cancelled by something other than effects.
    var disturbsEffects: Bool {
        steersCommitGate || endsEarly
            || contains { if case .replaceFeatures = $0 { true } else { false } }
    }
}

extension History.Thread {
    /// Whether nothing in it waits for what need not come.
    var endsAtRest: Bool {
        steps.allSatisfy { step in
            switch step {
            case .iterate, .wait: false
            default: true
            }
        }
    }
}
