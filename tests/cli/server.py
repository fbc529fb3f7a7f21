# SPDX-License-Identifier: Apache-2.0
"""Starts `gradus serve` and talks to it."""

import contextlib
import http.client
import json
import re
import signal
import socket
import subprocess

from program import command

PATIENCE = 60  # seconds; long, for busy machines


class Server:
    def __init__(self, process):
        self.process = process
        self.greeting = ""
        while "Ctrl-C" not in self.greeting:
            line = process.stdout.readline()
            assert line, "the server has ended"
            self.greeting += line
        self.port = int(re.search(r":(\d+)/\?token=", self.greeting)[1])
        self.token = re.search(r"\?token=([0-9a-f]{32})\n", self.greeting)[1]

    def ask(self, path, method="GET", body=None, headers=()):
        """Status and body of a response."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, dict(headers))
            response = connection.getresponse()
            return response.status, response.read().decode()
        finally:
            connection.close()

    def get(self, path):
        """The JSON of a response that must be good."""
        status, text = self.ask(path)
        assert status == 200, text
        return json.loads(text)

    def post(self, path, body, token=None):
        """Status and JSON of the response to a request with the token."""
        status, text = self.ask(
            path, "POST", json.dumps(body), {"X-Gradus-Token": token or self.token}
        )
        return status, json.loads(text)

    def raw(self, data):
        """Everything that the server answers to these bytes before it closes the connection."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as connection:
            with contextlib.suppress(ConnectionError):
                connection.sendall(data)
            return everything(connection)

    @contextlib.contextmanager
    def events(self):
        """A generator of the server-sent events."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request("GET", "/api/events")
        response = connection.getresponse()
        assert response.getheader("Content-Type") == "text/event-stream"
        try:
            yield (json.loads(line[6:]) for line in response if line.startswith(b"data: "))
        finally:
            connection.close()

    def runs(self):
        """The rows of the listing, by name."""
        with self.events() as events:
            return {row["name"]: row for row in next(events)["runs"]}


def everything(connection):
    data = b""
    with contextlib.suppress(ConnectionError):
        while more := connection.recv(65536):
            data += more
    return data


@contextlib.contextmanager
def serving(*args, **options):
    process = subprocess.Popen(
        command("serve", "--port", "0", *args), stdout=subprocess.PIPE, text=True, **options
    )
    try:
        yield Server(process)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=PATIENCE) == 0
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
