"""An S3 store on this machine for the tests, which checks signatures. Tests/TestSupport/LoopbackS3.swift is in front of it.

It prints one line of JSON, its port and a key with all rights, and ends with the program that started it. `POST /test-bucket`
with a name makes a bucket.
"""

import json
import os
import threading
import time

# Before the import of moto: tests send smaller parts than a real store accepts.
os.environ["S3_UPLOAD_PART_MIN_SIZE"] = "4096"

from moto import settings
from moto.core.responses import ActionAuthenticatorMixin
from moto.iam.models import iam_backends
from moto.s3.models import s3_backends
from moto.server import create_backend_app
from werkzeug.serving import WSGIRequestHandler, make_server

ACCOUNT = "123456789012"
EVERYTHING = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}


class Store:
    def __init__(self):
        # Without moto's choice of a service, which lists its folders for each request.
        self.moto = create_backend_app("s3")

    def __call__(self, environ, start_response):
        if environ["PATH_INFO"] != "/test-bucket":
            return self.moto(environ, start_response)
        name = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])).decode()
        s3_backends[ACCOUNT]["aws"].create_bucket(name, "us-east-1")
        start_response("200 OK", [("Content-Length", "0")])
        return [b""]


class Quiet(WSGIRequestHandler):
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
    # One request at a time, each on a connection of its own: moto is not safe for threads.
    server = make_server("127.0.0.1", 0, Store(), request_handler=Quiet)
    print(json.dumps({"port": server.port, "key": key.access_key_id, "secret": key.secret_access_key}), flush=True)
    server.serve_forever()


main()
