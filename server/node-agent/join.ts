import type { JoinNode, NodeMembership } from "../cloud/compute/nodes/join-node";

const TIMEOUT_MS = 30_000;

/** Joins the svc at `url`; throws an Error with its message if it does not accept this node. */
export async function join(url: string, node: JoinNode): Promise<NodeMembership> {
  const response = await send(new URL("/v1/nodes/join", url), node);
  const body = (await response.json().catch(() => ({}))) as NodeMembership & { error?: { message: string } };
  if (response.ok) return body;
  throw new Error(`${url} did not accept this node: ${body.error?.message ?? `it returned ${response.status}`}`);
}

async function send(url: URL, node: JoinNode): Promise<Response> {
  try {
    return await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(node),
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (cause) {
    const why = cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : String(cause);
    throw new Error(`${url.origin} cannot be reached: ${why}`, { cause });
  }
}
