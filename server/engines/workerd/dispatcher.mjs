// Runs inside workerd: loads the worker that a call names, and passes the call on. The only thing that receives the
// bindings; workers receive what `load` gives them.
//
// A call is a POST whose body is a line of JSON (worker, method, path, headers) and the body of the worker's request. The
// response begins before the call is read, so that svc knows whether a worker can have begun, and has the same form:
// a line of JSON (status and headers, or a failure) and a body.

import { WorkerEntrypoint } from "cloudflare:workers";

const NEWLINE = 10;

/** What a worker has as `env.SVC`: the name of the worker is set here, so that none can ask in the name of another. */
export class Svc extends WorkerEntrypoint {
  fetch(request) {
    return this.env.SOURCE.fetch(urlOf(this.ctx.props.worker), { method: "POST", body: request.body });
  }
}

export default {
  async fetch(request, env, ctx) {
    if (request.method === "GET") return new Response();
    const { readable, writable } = new TransformStream();
    const call = pass(request, env, ctx).then((reply) => write(writable, reply));
    // The other end of the stream has gone.
    call.catch(() => undefined);
    return new Response(readable);
  },
};

async function pass(request, env, ctx) {
  const bytes = new Uint8Array(await request.arrayBuffer());
  const end = bytes.indexOf(NEWLINE);
  const {
    worker,
    method,
    origin = "http://worker",
    path,
    headers,
  } = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
  const body = method === "GET" || method === "HEAD" ? undefined : bytes.subarray(end + 1);
  try {
    const stub = env.LOADER.get(worker, () => load(worker, env, ctx));
    const init = { method, headers, body, redirect: "manual" };
    const response = await stub.getEntrypoint().fetch(`${origin}${path}`, init);
    return { head: { status: response.status, headers: [...response.headers] }, body: response.body };
  } catch (cause) {
    return { head: { failure: textOf(cause) } };
  }
}

const textOf = (cause) => (cause instanceof Error ? cause.message : String(cause)).slice(0, 8000);

const urlOf = (worker) => `http://svc/${encodeURIComponent(worker)}`;

async function load(worker, env, ctx) {
  const response = await env.SOURCE.fetch(urlOf(worker));
  if (!response.ok) throw new Error("The code of the worker cannot be read.");
  const { outbound, asksSvc, ...code } = await response.json();
  const own = asksSvc ? { SVC: ctx.exports.Svc({ props: { worker } }) } : {};
  return { ...code, env: own, globalOutbound: outbound ? env.OUTBOUND : null };
}

async function write(writable, { head, body }) {
  const writer = writable.getWriter();
  await writer.write(new TextEncoder().encode(`${JSON.stringify(head)}\n`));
  if (!body) return writer.close();
  writer.releaseLock();
  return body.pipeTo(writable);
}
