"""An S3 store on this machine for the tests. It checks signatures and bodies, and misbehaves when told to.

It prints one line of JSON, its port and a key that may do everything, and ends with the program that started it.

    POST /test-bucket  a name: makes a bucket
    POST /test-fault   {"method": "PUT", "path": "/maps/catalog", "action": "lose-answer", "times": 1}
    GET  /test-seen    what was asked so far

A fault meets the next so many requests of its method whose path and query have its words in them.
"""

import hashlib
import io
import json
import os
import socket
import threading
import time
from xml.sax.saxutils import escape

# Before moto reads it: tests need not send as much as a real store wants in a part.
os.environ["S3_UPLOAD_PART_MIN_SIZE"] = "4096"

from moto import settings
from moto.core.responses import ActionAuthenticatorMixin
from moto.iam.models import iam_backends
from moto.s3.models import s3_backends
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import WSGIRequestHandler, make_server

ACCOUNT = "123456789012"
EVERYTHING = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}
TOLD = ("HTTP_RANGE", "HTTP_IF_MATCH", "HTTP_IF_NONE_MATCH", "HTTP_CACHE_CONTROL", "CONTENT_TYPE")


def refusal(status, code, message="", headers=()):
    text = f'<?xml version="1.0"?><Error><Code>{code}</Code><Message>{escape(message)}</Message></Error>'
    return status, [("Content-Type", "application/xml"), *headers], text.encode()


def hang_up(environ):
    environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
    raise ConnectionResetError


class Faulty:
    """Stands before the store, and does to requests and answers what it was told to."""

    def __init__(self, store):
        self.store = store
        self.rules = []
        self.seen = []
        self.lock = threading.Lock()

    def __call__(self, environ, start_response):
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        query = environ.get("QUERY_STRING", "")
        place = environ["PATH_INFO"] + (f"?{query}" if query else "")
        with self.lock:
            status, headers, answer = self.control(place, body) or self.serve(place, body, environ)
        names = {name.lower() for name, _ in headers}
        if "content-length" not in names and environ["REQUEST_METHOD"] != "HEAD":
            headers = [*headers, ("Content-Length", str(len(answer)))]
        start_response(status, headers)
        return self.half(environ, answer) if environ.get("test.half") else [answer]

    def control(self, place, body):
        if place == "/test-bucket":
            s3_backends[ACCOUNT]["aws"].create_bucket(body.decode(), "us-east-1")
        elif place == "/test-fault":
            self.rules.append(json.loads(body))
        elif place != "/test-seen":
            return None
        return "200 OK", [], json.dumps(self.seen).encode() if place == "/test-seen" else b""

    def serve(self, place, body, environ):
        rule = self.rule(environ["REQUEST_METHOD"], place)
        action = rule.get("action")
        self.seen.append({
            "method": environ["REQUEST_METHOD"], "path": place, "bytes": len(body),
            "headers": {name: environ[name] for name in TOLD if environ.get(name)}})
        if action == "refuse":
            headers = [("Retry-After", rule["after"])] if rule.get("after") else []
            return refusal(rule["status"], rule["code"], rule.get("message", ""), headers)
        if action == "repeat-request":
            return refusal("403 Forbidden", "AccessDenied", str({**environ, "secret": rule["message"]}))
        if action == "damage":
            body = bytes([body[0] ^ 1]) + body[1:]
        # As the real ones do; the one behind looks at the signature alone.
        if hashlib.sha256(body).hexdigest() != environ.get("HTTP_X_AMZ_CONTENT_SHA256"):
            return refusal("400 Bad Request", "XAmzContentSHA256Mismatch")
        answer = self.ask(environ, body)
        if action == "lose-answer":
            hang_up(environ)
        environ["test.half"] = action == "half-answer"
        return answer

    def rule(self, method, place):
        for rule in self.rules:
            if rule["method"] == method and rule["path"] in place and rule["times"] > 0:
                rule["times"] -= 1
                return rule
        return {}

    def ask(self, environ, body):
        said = []
        answer = b"".join(self.store({**environ, "wsgi.input": io.BytesIO(body)}, lambda *args: said.extend(args)))
        return said[0], said[1], answer

    @staticmethod
    def half(environ, answer):
        yield answer[: len(answer) // 2]
        hang_up(environ)


class Quiet(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log(self, *_):
        pass


def end_with(parent):
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(0)


def main():
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    people = iam_backends[ACCOUNT]["aws"]
    people.create_user("us-east-1", "tester")
    people.put_user_policy("tester", "everything", json.dumps(EVERYTHING))
    key = people.create_access_key("tester")
    # From now on every signature is checked.
    settings.INITIAL_NO_AUTH_ACTION_COUNT = 0
    ActionAuthenticatorMixin.request_count = 0
    store = Faulty(DomainDispatcherApplication(create_backend_app))
    server = make_server("127.0.0.1", 0, store, threaded=True, request_handler=Quiet)
    print(json.dumps({"port": server.port, "key": key.access_key_id, "secret": key.secret_access_key}), flush=True)
    server.serve_forever()


main()
