// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import Testing

@testable import OnwardCluster

struct ProposalsTests {
    private func proposals() -> Proposals {
        var proposals = Proposals()
        let isNew = proposals.add(request(1, "x"), until: .seconds(10), resendAt: .seconds(1))
        #expect(isNew)
        return proposals
    }

    /// Takes out the answers, where a replica of a version has requests.
    private func expect(
        _ proposals: inout Proposals, _ version: CommitVersion, now: Duration,
        done: [EntryID: CommitVersion] = [:], answers expected: [ProposalOutcome]
    ) {
        var window = RequestWindow(limit: 10)
        for (id, version) in done { window.insert(id, at: version) }
        let outcomes = proposals.takeAnswers(window, version, now: now).map(\.outcome)
        #expect(outcomes == expected)
    }

    @Test func `sends a request again until it is resolved`() {
        var proposals = proposals()
        let first = proposals.due(.seconds(0.9), every: .seconds(1))
        #expect(first.isEmpty)
        let second = proposals.due(.seconds(1), every: .seconds(1))
        #expect(second == [request(1, "x")])
        let third = proposals.due(.seconds(1.5), every: .seconds(1))
        #expect(third.isEmpty)
        proposals.resolve(id(1), .accepted(4))
        let fourth = proposals.due(.seconds(5), every: .seconds(1))
        #expect(fourth.isEmpty)
    }

    @Test func `keeps an answer until the replica has what was accepted`() {
        var proposals = proposals()
        proposals.resolve(id(1), .accepted(4))
        expect(&proposals, 3, now: .zero, answers: [])
        expect(&proposals, 4, now: .zero, answers: [.accepted(4)])
        #expect(proposals.isEmpty)
    }

    @Test func `answers a request once that is resolved twice`() {
        var proposals = proposals()
        proposals.resolve(id(1), .accepted(4))
        proposals.resolve(id(1), .accepted(4))
        expect(&proposals, 4, now: .zero, answers: [.accepted(4)])
        expect(&proposals, 4, now: .seconds(10), answers: [])
    }

    @Test func `answers at once what comes again and is in the replica already`() {
        var proposals = proposals()
        expect(&proposals, 7, now: .zero, answers: [])
        let isNew = proposals.add(request(2, "y"), until: .seconds(10), resendAt: .seconds(1))
        #expect(isNew)
        expect(&proposals, 7, now: .zero, done: [id(2): 6], answers: [.accepted(6)])
    }

    @Test func `finds the answer in the replica where its message is lost`() {
        var proposals = proposals()
        expect(&proposals, 7, now: .zero, done: [id(1): 6], answers: [.accepted(6)])
    }

    @Test func `gives up after the time limit`() {
        var proposals = proposals()
        expect(&proposals, 7, now: .seconds(9.9), answers: [])
        expect(&proposals, 7, now: .seconds(10), answers: [.unanswered])
    }

    @Test func `takes a request once that waits already`() {
        var proposals = proposals()
        let isNew = proposals.add(request(1, "x"), until: .seconds(10), resendAt: .zero)
        #expect(!isNew)
        #expect(proposals.count == 1)
    }
}
