// The main module of the worker of an edge function: passes a request to the module of the tenant, and sends svc the
// response, what the code prints and when it has ended, as frames: a byte of the kind, four bytes of length, the content.

// Modules run in the order of their imports, and the module of the tenant may extend Response at once.
import "./response-bodies.js";

import { bindingsOf } from "./bindings.js";
import { collect } from "./collect-logs.js";
import code from "./main.js";
import { isManual } from "./response-bodies.js";
import { bindings, headers, isSmokeRun, kinds, limits } from "./settings.js";

const encoder = new TextEncoder();
let hasSent = false;

if (isSmokeRun) {
  globalThis.fetch = async () => {
    hasSent = true;
    throw new Error("A smoke run sends no requests.");
  };
}

export default {
  fetch(request, { SVC }) {
    const frames = new Frames();
    const add = (line) => frames.add(kinds.log, encoder.encode(JSON.stringify(line)));
    const env = { ...variablesOf(request), ...bindingsOf(SVC, bindings, recordSqlCall) };
    void collect({ room: limits.logCharactersMax, add }, () => serve(asSent(request), env, frames));
    return new Response(frames.readable);
  },
};

// What a smoke run left unwritten may be what later statements need.
function recordSqlCall() {
  hasSent = true;
}

function variablesOf(request) {
  const value = request.headers.get(headers.env);
  if (value === null) return {};
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(value), (character) => character.charCodeAt(0))));
}

// Without the headers of svc. A response to HEAD would have no body, and so no frames: svc sends such a request as GET.
function asSent(request) {
  const method = request.headers.get(headers.method) ?? request.method;
  if (!request.headers.has(headers.method) && !request.headers.has(headers.env)) return request;
  const sent = new Request(request, { method });
  for (const name of Object.values(headers)) sent.headers.delete(name);
  return sent;
}

async function serve(request, env, frames) {
  const background = [];
  const waitUntil = (promise) => {
    background.push(Promise.resolve(promise).catch((cause) => console.error(cause)));
  };
  try {
    if (typeof code?.fetch !== "function") throw new TypeError("The default export has no function fetch.");
    const ctx = { waitUntil, passThroughOnException: () => undefined, props: {} };
    await send(await code.fetch(request, env, ctx), frames);
  } catch (cause) {
    await frames.send(kinds.failure, encoder.encode(JSON.stringify({ ...errorOf(cause), hasSent })));
  }
  // One that runs can add others.
  for (let index = 0; index < background.length; index++) await background[index];
  frames.close();
}

async function send(response, frames) {
  if (!(response instanceof Response)) throw new TypeError("fetch returned no Response.");
  if (response.webSocket) throw new TypeError("Edge functions have no WebSockets.");
  // What says that a body is to be compressed, which is sent as it is.
  const isLeftOut = ([name]) => name === "content-encoding" && !isManual(response);
  const head = { status: response.status, headers: [...response.headers].filter((header) => !isLeftOut(header)) };
  await frames.send(kinds.head, encoder.encode(JSON.stringify(head)));
  for await (const part of response.body ?? []) {
    const bytes = typeof part === "string" ? encoder.encode(part) : part;
    for (let from = 0; from < bytes.length; from += limits.frameBytesMax) {
      await frames.send(kinds.body, bytes.subarray(from, from + limits.frameBytesMax));
    }
  }
  await frames.send(kinds.end, new Uint8Array());
}

function errorOf(cause) {
  const isError = cause instanceof Error;
  const message = isError ? `${cause.name}: ${cause.message}` : String(cause);
  return { message: message.slice(0, 2000), stack: isError ? String(cause.stack ?? "").slice(0, 4000) : null };
}

class Frames {
  #waiting = [];
  #wake = () => undefined;
  #isClosed = false;
  #isCancelled = false;
  readable = new ReadableStream({
    pull: (controller) => this.#pull(controller),
    cancel: () => {
      this.#isCancelled = true;
      this.#waiting = [];
    },
  });

  // Resolves when the frame was taken, so that a slow client slows down the code.
  send(kind, content) {
    if (this.#isCancelled) return Promise.reject(new Error("The client has gone."));
    return new Promise((taken) => this.#push(kind, content, taken));
  }

  add(kind, content) {
    if (!this.#isCancelled) this.#push(kind, content, () => undefined);
  }

  close() {
    this.#isClosed = true;
    this.#wake();
  }

  #push(kind, content, taken) {
    const bytes = new Uint8Array(5 + content.length);
    bytes[0] = kind;
    new DataView(bytes.buffer).setUint32(1, content.length);
    bytes.set(content, 5);
    this.#waiting.push({ bytes, taken });
    this.#wake();
  }

  async #pull(controller) {
    while (this.#waiting.length === 0 && !this.#isClosed) {
      await new Promise((wake) => {
        this.#wake = wake;
      });
    }
    const taken = this.#waiting;
    this.#waiting = [];
    for (const one of taken) {
      controller.enqueue(one.bytes);
      one.taken();
    }
    if (taken.length === 0) controller.close();
  }
}
