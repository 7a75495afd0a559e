# What runs a function in Python: reads the code from the first line of standard input, then answers one call a line on
# file descriptor 3. Its first two descriptors are standard error, so that nothing that the code starts can answer.
import asyncio
import datetime
import importlib.util
import inspect
import io
import json
import os
import sys
import tempfile
import traceback

LOG_CHARACTERS_MAX = 65536
answers = os.fdopen(3, "w", encoding="utf-8")
lines = sys.stdin
sys.stdin = io.StringIO()
room = 0
logs = []


class Log(io.TextIOBase):
    def __init__(self, level):
        self.level = level
        self.pending = ""

    def writable(self):
        return True

    def write(self, text):
        self.pending += text
        while "\n" in self.pending:
            line, self.pending = self.pending.split("\n", 1)
            self.add(line)
        if len(self.pending) > LOG_CHARACTERS_MAX:
            self.finish()
        return len(text)

    def finish(self):
        if self.pending:
            self.add(self.pending)
        self.pending = ""

    def add(self, line):
        global room
        if room <= 0:
            return
        kept = line[:room]
        room -= len(kept) + 1
        at = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds")
        logs.append({"at": at.replace("+00:00", "Z"), "level": self.level, "text": kept})


sys.stdout, sys.stderr = Log("info"), Log("error")


def answer(value):
    answers.write(json.dumps(value) + "\n")
    answers.flush()


def error_of(cause):
    stack = "".join(traceback.format_exception(type(cause), cause, cause.__traceback__))
    return {"message": f"{type(cause).__name__}: {cause}"[:2000], "stack": stack[-4000:]}


def load(code, entry):
    # Without an image the temporary folder is the node's; the folder of the workload goes with it.
    folder = tempfile.mkdtemp(prefix="function-", dir=os.environ.get("SVC_WORKLOAD"))
    file = os.path.join(folder, "main.py")
    with open(file, "w", encoding="utf-8") as main:
        main.write(code)
    spec = importlib.util.spec_from_file_location("main", file)
    module = importlib.util.module_from_spec(spec)
    sys.modules["main"] = module
    spec.loader.exec_module(module)
    found = getattr(module, entry, None)
    if not callable(found):
        raise AttributeError(f"the code has no function named {entry}")
    return found


def outcome_of(run, payload, context):
    global room, logs
    room, logs = LOG_CHARACTERS_MAX, []
    try:
        result = run(payload, context)
        if inspect.isawaitable(result):
            result = asyncio.run(awaited(result))
        outcome = {"result": json.dumps(result, allow_nan=False)}
    except BaseException as cause:
        outcome = {"error": error_of(cause)}
    sys.stdout.finish()
    sys.stderr.finish()
    return {"logs": logs, **outcome}


async def awaited(result):
    return await result


run = None
for line in lines:
    sent = json.loads(line)
    if run:
        answer(outcome_of(run, sent["payload"], sent["context"]))
        continue
    try:
        run = load(sent["code"], sent["entry"])
        answer({"loaded": True})
    except BaseException as cause:
        answer({"loaded": False, "error": error_of(cause)})
