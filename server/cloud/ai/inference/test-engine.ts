/**
 * The engine `test`: a server with OpenAI's API that needs nothing but Python. It is no model: its answer is the last
 * message, word by word. A model name that ends in `-slow-<milliseconds>` or the field `delay_ms` makes it slow.
 */
export const TEST_ENGINE = String.raw`
import json, re, sys, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MODEL, PORT = sys.argv[1], int(sys.argv[2])
DELAY_MS_MAX = 60000
BYTES_MAX = 32 * 1024 * 1024
lock = threading.Lock()
served = 0

def text_of(content):
    if isinstance(content, list):
        return " ".join(p.get("text", "") for p in content if isinstance(p, dict))
    return content if isinstance(content, str) else ""

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def reply(self, status, body, kind="application/json"):
        data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def fail(self, status, message):
        self.reply(status, {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None}})

    def do_GET(self):
        if self.path == "/health":
            return self.reply(200, {"status": "ok", "engine": "test"})
        if self.path == "/v1/models":
            return self.reply(200, {"object": "list", "data": [{"id": MODEL, "object": "model", "created": 0, "owned_by": "svc-test-engine"}]})
        if self.path == "/metrics":
            return self.reply(200, "# TYPE svc_test_engine_requests_total counter\nsvc_test_engine_requests_total %d\n" % served, "text/plain")
        self.fail(404, "not found")

    def do_POST(self):
        global served
        chat = self.path == "/v1/chat/completions"
        if not chat and self.path != "/v1/completions":
            return self.fail(404, "not found")
        length = int(self.headers.get("Content-Length") or 0)
        if length > BYTES_MAX:
            return self.fail(413, "the body is too large")
        try:
            body = json.loads(self.rfile.read(length))
            asked = text_of(body["messages"][-1].get("content")) if chat else text_of(body["prompt"])
            slow = re.search(r"-slow-(\d{1,5})$", MODEL)
            delay = min(DELAY_MS_MAX, int(body.get("delay_ms") or (slow.group(1) if slow else 0)))
        except (ValueError, KeyError, IndexError, TypeError, AttributeError):
            return self.fail(400, "expected messages or prompt")
        with lock:
            served += 1
        time.sleep(delay / 1000)
        self.answer(chat, body, asked.split())

    def answer(self, chat, body, words):
        asked = len(words)
        limit = body.get("max_completion_tokens") or body.get("max_tokens")
        reason = "stop"
        if isinstance(limit, int) and 0 < limit < asked:
            words, reason = words[:limit], "length"
        usage = {"prompt_tokens": asked, "completion_tokens": len(words), "total_tokens": asked + len(words)}
        kind = "chat.completion" if chat else "text_completion"
        shown = {"id": "svc-test", "object": kind, "created": 0, "model": MODEL, "system_fingerprint": "svc-test-engine", "simulated": True}
        if not body.get("stream"):
            text = " ".join(words)
            part = {"message": {"role": "assistant", "content": text}} if chat else {"text": text}
            return self.reply(200, {**shown, "choices": [{"index": 0, **part, "finish_reason": reason}], "usage": usage})
        if chat:
            shown["object"] = "chat.completion.chunk"
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        for at, word in enumerate(words):
            text = word if at == 0 else " " + word
            part = {"delta": {"role": "assistant", "content": text}} if chat else {"text": text}
            self.send({**shown, "choices": [{"index": 0, **part, "finish_reason": None}]})
        last = {"delta": {}} if chat else {"text": ""}
        self.send({**shown, "choices": [{"index": 0, **last, "finish_reason": reason}]})
        if (body.get("stream_options") or {}).get("include_usage"):
            self.send({**shown, "choices": [], "usage": usage})
        self.wfile.write(b"data: [DONE]\n\n")

    def send(self, event):
        self.wfile.write(b"data: " + json.dumps(event).encode() + b"\n\n")
        self.wfile.flush()

class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

Server(("0.0.0.0", PORT), Handler).serve_forever()
`;
