// SPDX-License-Identifier: MIT
#if Server

import NIOCore
import Testing

@testable import OnwardServer

@Suite struct `Who may stay connected` {
    private let here = ClientAddress.v4(1)
    private let there = ClientAddress.v4(2)

    private func at(_ seconds: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(seconds) }

    /// A table with connections that say nothing, the first opened first.
    private func table(limit: Int, perAddress: Int, open: Int = 0) -> ConnectionTable {
        var table = ConnectionTable(limit: limit, perAddress: perAddress)
        for id in 0..<open { _ = table.open(id, of: here, at: at(Int64(id))) }
        return table
    }

    @Test func `when there are too many, those that were quiet longest leave`() {
        var table = table(limit: 16, perAddress: 16, open: 16)
        table.change(0, to: .answering, at: at(20))
        table.change(1, to: .quiet, at: at(21))
        let admission = table.open(100, of: there, at: at(30))
        #expect(admission == .init(leaving: [2, 3, 4]))
        #expect(table.count == 14)
    }

    @Test func `where none is quiet, one that still sends leaves`() {
        var table = table(limit: 3, perAddress: 3, open: 3)
        table.change(0, to: .answering, at: at(10))
        table.change(1, to: .receiving, at: at(12))
        table.change(2, to: .receiving, at: at(11))
        #expect(table.open(100, of: there, at: at(30)) == .init(leaving: [2]))
    }

    @Test func `a client that is being answered never leaves, and the next ones aren't accepted`() {
        var table = table(limit: 2, perAddress: 2, open: 2)
        for id in 0..<2 { table.change(id, to: .answering, at: at(10)) }
        #expect(table.open(100, of: there, at: at(30)) == .init(leaving: []))
        #expect(table.count == 3)
        #expect(ServerLimits().resolved(descriptors: 1_024).acceptedConnections == 896 + 56)
    }

    @Test func `an address doesn't take more than its share from others`() {
        var table = table(limit: 100, perAddress: 4, open: 4)
        #expect(table.open(100, of: here, at: at(30)) == .init(leaving: [0]))
        for id in [1, 2, 3, 100] { table.change(id, to: .answering, at: at(31)) }
        #expect(table.open(101, of: here, at: at(32)) == .init(isAdmitted: false))
        #expect(table.open(102, of: there, at: at(32)) == .init())
        table.close(3)
        #expect(table.open(103, of: here, at: at(33)) == .init())
    }

    @Test func `what closes twice counts once`() {
        var table = table(limit: 4, perAddress: 4, open: 2)
        for id in [0, 0, 7] { table.close(id) }
        #expect(table.count == 1)
    }

    @Test func `an IPv6 address counts with its network, one that stands for IPv4 as that`() throws
    {
        func address(_ text: String) throws -> ClientAddress {
            ClientAddress(try SocketAddress(ipAddress: text, port: 1))
        }
        #expect(try address("2001:db8::1") == address("2001:db8::ffff:2"))
        #expect(try address("2001:db8::1") != address("2001:db8:0:1::1"))
        #expect(try address("::ffff:10.0.0.1") == address("10.0.0.1"))
        #expect(try address("10.0.0.1") != address("10.0.0.2"))
        #expect(ClientAddress(nil) == .local)
    }

    @Test(arguments: [(64, 32), (256, 192), (1_024, 896), (4_096, 3_584), (20_000, 16_384)])
    func `the process keeps files for other things`(descriptors: Int, connections: Int) {
        let limits = ServerLimits().resolved(descriptors: descriptors)
        #expect(limits.connections == connections)
        #expect(limits.connectionsPerAddress == connections / 2)
        #expect(limits.streams == min(4_096, connections * 3 / 4))
    }

    @Test func `limits of the app's own are kept where the process allows them`() {
        var limits = ServerLimits()
        (limits.connections, limits.connectionsPerAddress) = (10, 10)
        #expect(limits.resolved(descriptors: 1_024).connectionsPerAddress == 10)
        #expect(limits.resolved(descriptors: 1_024).streams == 7)
        limits.connections = 10_000
        #expect(limits.resolved(descriptors: 1_024).connections == 896)
    }
}
#endif
