export const WORKSPACE_ID_PREFIX = "wsp";

/**
 * The origins of workspaces: each has a host of its own below a domain, so that what runs in its editor has no access to
 * the dashboard, or to another workspace.
 */
export interface WorkspaceHosts {
  /** Such as http://wsp-01jd….workspaces.localhost:3000. */
  originOf(id: string): string;
  /** The id of the workspace that a `Host` header names; undefined for any other host. */
  idOf(host: string | undefined): string | undefined;
}

const LABEL = new RegExp(`^${WORKSPACE_ID_PREFIX}-([a-z0-9]{1,40})$`);

/** Returns undefined without a domain: no workspace has an origin then. */
export function createWorkspaceHosts(publicUrl: string, domain: string | undefined): WorkspaceHosts | undefined {
  if (domain === undefined) return undefined;
  const { protocol, port } = new URL(publicUrl);
  const end = `.${domain}`;
  return {
    originOf: (id) => `${protocol}//${id.replace("_", "-")}${end}${port === "" ? "" : `:${port}`}`,
    idOf: (host = "") => {
      const name = host.toLowerCase().replace(/:\d+$/, "");
      const [, rest] = name.endsWith(end) ? (LABEL.exec(name.slice(0, -end.length)) ?? []) : [];
      return rest === undefined ? undefined : `${WORKSPACE_ID_PREFIX}_${rest}`;
    },
  };
}
