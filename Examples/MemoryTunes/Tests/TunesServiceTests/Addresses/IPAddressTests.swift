// SPDX-License-Identifier: MIT

import Testing

@testable import TunesService

@Suite struct IPAddressTests {
    @Test(arguments: [
        "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254",
        "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.168.1.1", "198.18.0.1",
        "198.51.100.7", "203.0.113.7", "224.0.0.1", "240.0.0.1", "255.255.255.255",
    ])
    func `IPv4 kept for special purposes isn't public`(text: String) throws {
        #expect(try !#require(IPAddress(v4: text)).isPublic)
    }

    @Test(arguments: ["1.1.1.1", "8.8.8.8", "17.253.144.10", "172.32.0.1", "100.128.0.1"])
    func `other IPv4 is public`(text: String) throws {
        #expect(try #require(IPAddress(v4: text)).isPublic)
    }

    @Test(arguments: [
        "127.0.0.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "017700000001", "127.1",
        "127.0.1", "0X7F.0.0.0x1",
    ])
    func `this machine is known in every spelling of IPv4`(text: String) throws {
        #expect(try #require(IPAddress(v4: text)).description == "127.0.0.1")
    }

    @Test(arguments: [
        "", ".", "1.2.3.4.5", "256.1.1.1", "1.2.3.256", "4294967296", "1..2", "08", "0x1g", "-1",
        "1.2.3.4.", "٣.1.1.1", "99999999999999999999",
    ])
    func `text that is no IPv4 is refused`(text: String) {
        #expect(IPAddress(v4: text) == nil)
    }

    @Test(arguments: [
        "::", "::1", "fe80::1", "fec0::1", "fc00::1", "fd12:3456::1", "ff02::1", "2001:db8::1",
        "2001::1", "2002:7f00:1::", "2002:a00:1::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8",
        "::ffff:7f00:1", "::127.0.0.1", "64:ff9b::127.0.0.1", "64:ff9b::a00:1", "64:ff9b:1::1",
        "100::1", "3fff::1",
    ])
    func `IPv6 kept for special purposes isn't public`(text: String) throws {
        #expect(try !#require(IPAddress(v6: text)).isPublic)
    }

    @Test(arguments: ["2606:4700:4700::1111", "2002:808:808::1", "64:ff9b::8.8.8.8", "2a00::1"])
    func `other IPv6 is public`(text: String) throws {
        #expect(try #require(IPAddress(v6: text)).isPublic)
    }

    @Test(arguments: [
        "", ":", ":::", "1::2::3", "12345::", "g::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9",
        "fe80::1%eth0", "::1.2.3", "::256.1.1.1", "1:2:3:4:5:6:7::8:9",
    ])
    func `text that is no IPv6 is refused`(text: String) {
        #expect(IPAddress(v6: text) == nil)
    }
}
