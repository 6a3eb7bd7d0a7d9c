// SPDX-License-Identifier: MIT
#if All

import Testing

@testable import OnwardPostgres

struct PostgresFailureTests {
    @Test func `the code of a server's refusal is read, whatever the language`() {
        let text = """
            connection to server on socket "/a/.s.PGSQL.5432" failed: FATAL:  28P01: Passwort falsch
            LOCATION:  auth_failed, auth.c:326
            """
        let failure = PostgresFailure(.unreachable, verbose: text)
        #expect(failure.state == "28P01")
        #expect(failure.message.hasSuffix("FATAL: Passwort falsch"))
        #expect(!failure.isTransient)
        #expect(PostgresFailure(.unreachable, verbose: "no route").isTransient)
    }
}
#endif
