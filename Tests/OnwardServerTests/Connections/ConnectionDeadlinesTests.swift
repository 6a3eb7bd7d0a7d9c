// SPDX-License-Identifier: MIT
#if Server

import NIOCore
import Testing

@testable import OnwardServer

@Suite struct `The deadlines of a connection` {
    private let begin = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
    private let limits: ConnectionDeadlines.Limits = {
        var limits = ServerLimits()
        limits.silence = .seconds(10)
        limits.keepAlive = .seconds(30)
        limits.transfer = .seconds(20)
        limits.rate = 1_000
        return ConnectionDeadlines.Limits(limits, stopDeadline: .seconds(5))
    }()

    private func at(_ seconds: Int64) -> NIODeadline { begin + .seconds(seconds) }

    @Test func `a connection that says nothing ends`() {
        let deadlines = ConnectionDeadlines(limits, opened: begin)
        #expect(deadlines.phase == .quiet && deadlines.deadline == at(10))
    }

    @Test func `the more of a body has come, the longer it may take`() {
        var deadlines = ConnectionDeadlines(limits, opened: begin)
        deadlines.readHead(at: at(4))
        #expect(deadlines.phase == .receiving && deadlines.deadline == at(24))
        deadlines.readBody(3_000)
        #expect(deadlines.deadline == at(27))
        deadlines.readEnd(at: at(5))
        #expect(deadlines.phase == .answering && deadlines.deadline == nil)
    }

    @Test func `an answer may take long to make, and has to be taken`() {
        var deadlines = ConnectionDeadlines(limits, opened: begin)
        deadlines.readHead(at: begin)
        deadlines.readEnd(at: begin)
        deadlines.write(5_000, at: at(100))
        #expect(deadlines.deadline == at(125))
        deadlines.write(1_000, at: at(101))
        #expect(deadlines.deadline == at(126))
        deadlines.wrote(5_000, at: at(110))
        #expect(deadlines.deadline == at(131))
        deadlines.wrote(1_000, at: at(111))
        #expect(deadlines.phase == .answering && deadlines.deadline == nil)
        deadlines.writeEnd(at: at(112))
        #expect(deadlines.phase == .quiet && deadlines.deadline == at(142))
    }

    @Test func `a slow reader keeps its connection only at the least rate`() {
        var deadlines = ConnectionDeadlines(limits, opened: begin)
        deadlines.readHead(at: begin)
        deadlines.readEnd(at: begin)
        deadlines.write(1_000_000, at: begin)
        // A million bytes at a thousand a second.
        #expect(deadlines.deadline == at(1_020))
    }

    @Test func `an answer that ends before its request isn't the end of the body`() {
        var deadlines = ConnectionDeadlines(limits, opened: begin)
        deadlines.readHead(at: begin)
        deadlines.writeEnd(at: at(1))
        #expect(deadlines.phase == .receiving && deadlines.deadline == at(20))
        deadlines.readEnd(at: at(2))
        #expect(deadlines.phase == .quiet && deadlines.deadline == at(32))
    }

    @Test
    func `the rest of a body whose request was answered has a fixed time, however much comes`() {
        var deadlines = ConnectionDeadlines(limits, opened: begin)
        deadlines.readHead(at: begin)
        deadlines.readBody(70_000)
        deadlines.writeEnd(at: at(1))
        #expect(deadlines.phase == .receiving && deadlines.deadline == at(21))
        deadlines.readBody(70_000)
        #expect(deadlines.deadline == at(21))
        deadlines.readEnd(at: at(2))
        deadlines.readHead(at: at(3))
        deadlines.readBody(3_000)
        #expect(deadlines.deadline == at(26))
    }

    @Test func `an answer to what is no request leaves the count right`() {
        var deadlines = ConnectionDeadlines(limits, opened: begin)
        deadlines.writeEnd(at: at(1))
        deadlines.readHead(at: at(2))
        deadlines.readEnd(at: at(2))
        #expect(deadlines.phase == .answering)
    }

    @Test func `when the server stops everything has its last deadline`() {
        var deadlines = ConnectionDeadlines(limits, opened: begin)
        deadlines.readHead(at: begin)
        deadlines.readEnd(at: begin)
        deadlines.stop(at: at(100))
        #expect(deadlines.deadline == at(105))
    }
}
#endif
