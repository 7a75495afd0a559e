import type { JoinNode, NodeMembership } from "../cloud/compute/nodes/join-node";

const TIMEOUT_MS = 30_000;

/** Joins the svc at `url`; throws an Error with its message if it does not accept this machine. */
export async function join(url: string, machine: JoinNode): Promise<NodeMembership> {
  const response = await send(new URL("/v1/nodes/join", url), machine);
  const body = (await response.json().catch(() => ({}))) as NodeMembership & { error?: { message: string } };
  if (response.ok) return body;
  throw new Error(`${url} did not accept this node: ${body.error?.message ?? `it returned ${response.status}`}`);
}

async function send(url: URL, machine: JoinNode): Promise<Response> {
  try {
    return await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(machine),
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (cause) {
    const why = cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : String(cause);
    throw new Error(`${url.origin} cannot be reached: ${why}`, { cause });
  }
}
