// The main module of the worker of a function: calls an export of the module of the tenant.

import { collect } from "./collect-logs.js";
import * as code from "./main.js";
import { entry, limits } from "./settings.js";

const exported = { ...code };

export default {
  async fetch(request) {
    const { payload, context } = await request.json();
    if (typeof exported[entry] !== "function") return Response.json({ exports: Object.keys(exported) });
    if (context === undefined) return Response.json({});
    const logs = [];
    const collected = { room: limits.logCharactersMax, add: (line) => logs.push(line) };
    return collect(collected, () => outcomeOf(payload, context, logs));
  },
};

async function outcomeOf(payload, context, logs) {
  try {
    const result = await exported[entry](payload, context);
    return new Response(JSON.stringify({ logs, result: textOf(result) }));
  } catch (cause) {
    return new Response(JSON.stringify({ logs, error: errorOf(cause) }));
  }
}

// As text, so that svc can check it without reading it twice.
function textOf(result) {
  try {
    return JSON.stringify(result) ?? "null";
  } catch (cause) {
    throw new TypeError(`The result is no JSON value: ${cause.message}`);
  }
}

function errorOf(cause) {
  const isError = cause instanceof Error;
  const message = isError ? `${cause.name}: ${cause.message}` : String(cause);
  return { message: message.slice(0, 2000), stack: isError ? String(cause.stack ?? "").slice(0, 4000) : null };
}
