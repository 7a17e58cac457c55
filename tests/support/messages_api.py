"""A scripted Messages API on loopback: it plays turns to the client and keeps what the client sent."""

from __future__ import annotations

import json
import sys
import threading
import time
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

from tests.support.scripted_turns import JsonObject, Script, compose_message, iterate_texts, stream_message


@dataclass(frozen=True, slots=True)
class Request:
    """What the client sent: lane is main, summary, side, count, other or the name of a `Lane`."""

    lane: str
    path: str
    body: JsonObject


def read_shown_text(request: Request) -> str:
    """Return all that the model reads in one request: the system prompt and the messages."""
    shown = [request.body.get("system"), request.body.get("messages")]
    return "\n".join(iterate_texts(shown))


class _Exchange(BaseHTTPRequestHandler):
    """One connection of the client."""

    protocol_version = "HTTP/1.1"
    server: MessagesApi

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the name is inherited)
        """Say nothing: the tests read `requests`."""

    def do_GET(self) -> None:
        self._answer_other()

    do_HEAD = do_PUT = do_PATCH = do_DELETE = do_GET  # noqa: N815

    def do_POST(self) -> None:
        path = self.path.partition("?")[0]
        if path.endswith("/v1/messages"):
            self._answer_messages(path)
        elif path.endswith("/v1/messages/count_tokens"):
            body = self._read_body()
            self.server.keep(Request("count", path, body))
            self._send_json(200, {"input_tokens": len(json.dumps(body)) // 4 + 1})
        else:
            self._answer_other()

    def _read_body(self) -> JsonObject:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        try:
            body = json.loads(raw) if raw else {}
        except ValueError:
            body = {}
        return body if isinstance(body, dict) else {"value": body}

    def _answer_other(self) -> None:
        path = self.path.partition("?")[0]
        self.server.keep(Request("other", path, self._read_body()))
        self._send_json(200, {"data": [], "has_more": False} if path.endswith("/v1/models") else {})

    def _answer_messages(self, path: str) -> None:
        body = self._read_body()
        lane = self.server.script.choose_lane(body)
        turn = self.server.script.take_turn(lane)
        number = self.server.keep(Request(lane, path, body))
        if turn.hold:
            self.server.closing.wait()
            self.close_connection = True
            return
        time.sleep(turn.delay_s)
        if turn.error_status is not None:
            error = {"type": turn.error_type, "message": turn.text or "scripted error"}
            self._send_json(turn.error_status, {"type": "error", "error": error})
            return
        message = compose_message(turn, number=number, model=str(body.get("model", "")))
        if body.get("stream"):
            self._send_events(message)
        else:
            self._send_json(200, message)

    def _send_json(self, status: int, value: JsonObject) -> None:
        raw = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(raw)))
        self.end_headers()
        if self.command != "HEAD":
            self._write(raw)

    def _send_events(self, message: JsonObject) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        for event in stream_message(message):
            if not self._write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()):
                return

    def _write(self, raw: bytes) -> bool:
        try:
            self.wfile.write(raw)
            self.wfile.flush()
        except OSError:  # the client was killed: that is what some tests do
            return False
        return True


class MessagesApi(ThreadingHTTPServer):
    """The server; a context manager. `requests` grows while clients run against `url`."""

    daemon_threads = True

    def __init__(self, script: Script) -> None:
        super().__init__(("127.0.0.1", 0), _Exchange)
        self.script = script
        self.closing = threading.Event()
        self._requests: list[Request] = []
        self._failures: list[BaseException | None] = []
        self._arrived = threading.Condition()
        self._thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05})

    @property
    def url(self) -> str:
        """The base address that the client is given."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    @property
    def requests(self) -> list[Request]:
        """A copy of what has arrived so far, in order."""
        with self._arrived:
            return list(self._requests)

    def keep(self, request: Request) -> int:
        """Store a request; return its number."""
        with self._arrived:
            self._requests.append(request)
            self._arrived.notify_all()
            return len(self._requests) - 1

    def wait_for_requests(self, count: int, *, lane: str = "main", timeout_s: float = 30.0) -> bool:
        """Wait until a lane has this many requests; return whether it has."""

        def has_enough() -> bool:
            return sum(r.lane == lane for r in self._requests) >= count

        with self._arrived:
            return self._arrived.wait_for(has_enough, timeout_s)

    def handle_error(self, request: object, client_address: object) -> None:
        """Keep an error of the script for the end; a killed client's broken connection is none."""
        error = sys.exception()
        if not isinstance(error, OSError):
            self._failures.append(error)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self.shutdown()
        self._thread.join()
        self.server_close()
        if kind is None:
            assert self._failures == []
