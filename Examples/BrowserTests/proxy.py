# SPDX-License-Identifier: MIT
"""What lies between a browser and a server: it cuts connections and holds them up."""

import socket
import threading
import time


class Proxy:
    def __init__(self, port):
        self.target = ("127.0.0.1", port)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.ends = set()
        self.stalled_until = 0
        self.lock = threading.Lock()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(self.target)
            except OSError:
                near.close()
                continue
            with self.lock:
                self.ends |= {near, far}
            for pair in ((near, far), (far, near)):
                threading.Thread(target=self.pass_on, args=pair, daemon=True).start()

    def pass_on(self, source, target):
        try:
            while data := source.recv(65_536):
                while time.time() < self.stalled_until:
                    time.sleep(0.02)
                target.sendall(data)
        except OSError:
            pass
        self.drop({source, target})

    def drop(self, ends):
        with self.lock:
            self.ends -= ends
        for end in ends:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()

    def cut(self):
        """Ends all connections, wherever they are."""
        self.drop(set(self.ends))

    def stall(self, seconds):
        """Lets nothing through for a while."""
        self.stalled_until = time.time() + seconds

    def resume(self):
        self.stalled_until = 0

    def close(self):
        self.listener.close()
        self.cut()
