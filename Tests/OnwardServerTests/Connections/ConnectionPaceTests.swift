// SPDX-License-Identifier: MIT
#if Server

import NIOCore
import Testing

@testable import OnwardServer

@Suite struct `The pace of a connection` {
    private let begin = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
    private let limits: ConnectionPace.Limits = {
        var limits = ServerLimits()
        limits.silence = .seconds(10)
        limits.keepAlive = .seconds(30)
        limits.transfer = .seconds(20)
        limits.rate = 1_000
        return ConnectionPace.Limits(limits, stopDeadline: .seconds(5))
    }()

    private func at(_ seconds: Int64) -> NIODeadline { begin + .seconds(seconds) }

    @Test func `a connection that says nothing ends`() {
        let pace = ConnectionPace(limits, opened: begin)
        #expect(pace.phase == .quiet && pace.deadline == at(10))
    }

    @Test func `a body has the longer the more of it has come`() {
        var pace = ConnectionPace(limits, opened: begin)
        pace.readHead(at: at(4))
        #expect(pace.phase == .receiving && pace.deadline == at(24))
        pace.readBody(3_000)
        #expect(pace.deadline == at(27))
        pace.readEnd(at: at(5))
        #expect(pace.phase == .answering && pace.deadline == nil)
    }

    @Test func `an answer may take long to make, and has to be taken`() {
        var pace = ConnectionPace(limits, opened: begin)
        pace.readHead(at: begin)
        pace.readEnd(at: begin)
        pace.write(5_000, at: at(100))
        #expect(pace.deadline == at(125))
        pace.write(1_000, at: at(101))
        #expect(pace.deadline == at(126))
        pace.wrote(5_000, at: at(110))
        #expect(pace.deadline == at(131))
        pace.wrote(1_000, at: at(111))
        #expect(pace.phase == .answering && pace.deadline == nil)
        pace.writeEnd(at: at(112))
        #expect(pace.phase == .quiet && pace.deadline == at(142))
    }

    @Test func `a slow reader keeps its connection only at the least rate`() {
        var pace = ConnectionPace(limits, opened: begin)
        pace.readHead(at: begin)
        pace.readEnd(at: begin)
        pace.write(1_000_000, at: begin)
        // A million bytes at a thousand a second.
        #expect(pace.deadline == at(1_020))
    }

    @Test func `an answer that ends before its request isn't the end of the body`() {
        var pace = ConnectionPace(limits, opened: begin)
        pace.readHead(at: begin)
        pace.writeEnd(at: at(1))
        #expect(pace.phase == .receiving && pace.deadline == at(20))
        pace.readEnd(at: at(2))
        #expect(pace.phase == .quiet && pace.deadline == at(32))
    }

    @Test func `an answer to what is no request leaves the count right`() {
        var pace = ConnectionPace(limits, opened: begin)
        pace.writeEnd(at: at(1))
        pace.readHead(at: at(2))
        pace.readEnd(at: at(2))
        #expect(pace.phase == .answering)
    }

    @Test func `when the server stops everything has its last deadline`() {
        var pace = ConnectionPace(limits, opened: begin)
        pace.readHead(at: begin)
        pace.readEnd(at: begin)
        pace.stop(at: at(100))
        #expect(pace.deadline == at(105))
    }
}
#endif
