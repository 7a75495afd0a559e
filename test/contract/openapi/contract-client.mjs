// Calls operations by their id through prism, which answers 500 or 422 itself when a request or a reply is not as documented.
const ANSWERED_WITHIN_MS = 20_000;
const VIOLATION = /prism\/errors#/;

/** `calls` counts what went through prism, by operation and by status; `faults` collects what went wrong. */
export function createClient({ documents, ports, shared }) {
  const operations = new Map();
  for (const [api, { paths }] of Object.entries(documents)) {
    for (const [path, item] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(item))
        operations.set(operation.operationId, { api, path, method, operation });
    }
  }
  const driven = new Set();
  const statuses = {};
  const faults = [];
  const call = async (id, { expect, input = {}, key, headers = {}, text, type, extra }) => {
    const found = operations.get(id);
    if (!found) throw new Error(`No document has the operation ${id}.`);
    const { path, init } = requestOf(found, { input, text, type, extra });
    // Refusals are provoked by requests that prism itself would not let through.
    const isRefusal = expect >= 400;
    const port = ports[found.api][isRefusal ? "replies" : "both"];
    const all = { ...authorizationOf(found.operation, key ?? shared), ...init.headers, ...headers };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      ...init,
      headers: all,
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
    });
    const body = await answer.text();
    if (answer.status !== expect || VIOLATION.test(body)) {
      faults.push(`${id}: expected ${expect}, got ${answer.status}: ${body.slice(0, 600)}`);
    }
    if (!isRefusal) driven.add(id);
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    return { status: answer.status, headers: answer.headers, body: parsed(body) };
  };
  const exampleOf = (id, type) => operations.get(id)?.operation.requestBody?.content[type]?.example;
  return { call, exampleOf, operations, driven, statuses, faults };
}

/** The documented example with what the walk puts in its place; `extra` is the name of a parameter that nobody knows. */
function requestOf({ path, method, operation }, { input, text, type, extra }) {
  const query = new URLSearchParams();
  let at = path;
  const rest = { ...input };
  for (const { name, in: place } of operation.parameters ?? []) {
    if (!(name in rest) || place === "header") continue;
    if (place === "path") at = at.replace(`{${name}}`, encodeURIComponent(rest[name]));
    else query.append(name, String(rest[name]));
    delete rest[name];
  }
  if (extra) query.append(extra, "x");
  const url = query.size > 0 ? `${at}?${query}` : at;
  const headers = {};
  const json = operation.requestBody?.content["application/json"];
  let body;
  if (text !== undefined) {
    body = text;
    headers["content-type"] = type ?? "application/json";
  } else if (json) {
    body = JSON.stringify({ ...json.example, ...rest });
    headers["content-type"] = "application/json";
  }
  return { path: url, init: { method: method.toUpperCase(), headers, ...(body === undefined ? {} : { body }) } };
}

function authorizationOf({ security = [] }, { bearer, channel, cookie }) {
  const schemes = security.flatMap((one) => Object.keys(one));
  if (schemes.includes("bearer")) return { authorization: `Bearer ${bearer}` };
  if (schemes.includes("channelKey")) return { "x-svc-api-key": channel };
  if (schemes.includes("refreshCookie")) return { cookie };
  return {};
}

function parsed(body) {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
