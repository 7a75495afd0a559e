import { z } from "zod";
import { LOOPBACK_HOSTS } from "./kernel/loopback-hosts";

/** A domain below which code of tenants has hosts. */
const domain = (example: string) =>
  z
    .string()
    .toLowerCase()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/, `expected a host name without a port, such as ${example}`)
    .optional();

export const tenantDomainVariables = {
  EDGE_DOMAIN: domain("svc-edge.example"),
  WORKSPACES_DOMAIN: domain("svc-workspaces.example"),
};

type DomainVariable = keyof typeof tenantDomainVariables;
type Hosts = Partial<Record<DomainVariable | "S3_HOST", string | undefined>>;

/** Browsers resolve names below localhost to loopback. */
const LOCAL: Record<DomainVariable, string> = {
  EDGE_DOMAIN: "edge.localhost",
  WORKSPACES_DOMAIN: "workspaces.localhost",
};

/**
 * The domain of a variable; by default one below localhost if svc is on this machine, otherwise undefined. Throws if it
 * is a host of svc or of another variable, above one or below one: pages of tenants could set cookies for it.
 */
export function tenantDomainOf(variable: DomainVariable, hosts: Hosts, publicUrl: string): string | undefined {
  const { hostname } = new URL(publicUrl);
  const chosen = hosts[variable];
  if (chosen === undefined) return LOOPBACK_HOSTS.has(hostname) ? LOCAL[variable] : undefined;
  const others: Hosts = { ...hosts, [variable]: undefined };
  const taken = [hostname, others.EDGE_DOMAIN, others.WORKSPACES_DOMAIN, others.S3_HOST].filter(
    (host) => host !== undefined,
  );
  const isApart = (host: string) => host !== chosen && !host.endsWith(`.${chosen}`) && !chosen.endsWith(`.${host}`);
  if (taken.every(isApart)) return chosen;
  throw new Error(
    `${variable}=${chosen} must be apart from the other hosts of svc, because code of tenants runs there: set it to a domain that is neither ${taken.join(" nor ")}, nor above or below it.`,
  );
}
