const PATH = /^(\/v1\/pods\/([^/?]+)\/ports\/([^/?]+))([/?].*)?$/;

/** A request for a server in a pod. */
export interface PortTarget {
  /** What it begins with, as it was sent. */
  prefix: string;
  /** The id of the pod and the port, as they were sent. */
  id: string;
  port: string;
  /** What the server in the pod is asked for: path and query, not normalized. */
  path: string;
}

/** The path below which a port of a pod is reached, without a slash at its end. */
export const portPath = ({ id, port }: { id: string; port: number }): string => `/v1/pods/${id}/ports/${port}`;

/** Returns what a request target names below a pod's port; undefined for any other path. */
export function portTargetOf(url: string): PortTarget | undefined {
  const [, prefix, id, port, rest = ""] = PATH.exec(url) ?? [];
  if (prefix === undefined || id === undefined || port === undefined) return undefined;
  return { prefix, id, port, path: rest.startsWith("/") ? rest : `/${rest}` };
}
