// SPDX-License-Identifier: MIT
#if Server

import Testing

@testable import OnwardServer

/// The hash that names visitors and their files.
@Suite struct SHA256Tests {
    @Test("it is that of the standard's examples")
    func standard() {
        func hash(of text: String) -> String { SHA256.hash(of: Array(text.utf8)).hexadecimal }
        #expect(
            hash(of: "abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            hash(of: "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
                == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
        #expect(
            hash(of: String(repeating: "a", count: 1_000_000))
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    // By Python's hashlib.
    @Test(
        "it is right at each edge of a block, in however many parts the bytes come",
        arguments: [
            (0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (1, "4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a"),
            (3, "6ab0dba1f4f1dfbb37b4f9eeb092c09fca4900ad32bdcd147d8dde35d6c87c35"),
            (55, "81afe5b788dc2ce138ff83d9b20164db75a94d75d2b2432eea4a0ef605088c72"),
            (56, "2aba54f0ac632420a2b502431408866e40e1d5e430df4cd822642c78ab2eb9c1"),
            (63, "733d3d4ee79ee67145bf73da13588f6f235d37414fc64b14a2f00f1762792f5e"),
            (64, "79322907b3e9d013d7dc2c2f256674dbf733045cde01df3539271c6f5605feb8"),
            (65, "d85c007c6eb440f085afa2b84f6f2bce4658b240e9f62cb1364bf0485a57e720"),
            (119, "6c87eedf096b345de205b702e5223b73b447a3207791ded3ea007ba15ed6736e"),
            (120, "42500cf6a1e3936d6b9e0bcfe296d654b63255e525487d3634d0b15fde591c4d"),
            (128, "489d55fea9a73af36b6dd0be7b4117d8e5683386d39544e8a44c99a87f368707"),
            (1000, "6b0df76627243d095b0c4400cb658b7e804dd03461cc03aee8fc8fe0bcada168"),
        ])
    func edges(count: Int, expected: String) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + count) }
        #expect(SHA256.hash(of: bytes).hexadecimal == expected)
        for size in [1, 13, 64] {
            var hash = SHA256()
            for start in stride(from: 0, to: count, by: size) {
                hash.add(Array(bytes[start..<min(start + size, count)]))
            }
            #expect(hash.finish().hexadecimal == expected)
        }
    }
}
#endif
