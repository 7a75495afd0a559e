import type { ApiKey, Prisma } from "../../engines/postgres/generated/client";
import { ServiceError } from "../../kernel/errors";
import { isWithinNetworks, type Network, parseNetwork } from "../../kernel/networks";
import type { Actor } from "../actors/actor";

/** How long and from where a key works. */
export type KeyBounds = Pick<ApiKey, "expiresAt" | "allowedAddresses">;

const UNBOUNDED: KeyBounds = { expiresAt: null, allowedAddresses: [] };

/** The bounds of whoever acts: a key's own, none for a person. */
export const boundsOf = async (tx: Prisma.TransactionClient, actor: Actor): Promise<KeyBounds> =>
  actor.kind === "person" ? UNBOUNDED : tx.apiKey.findUniqueOrThrow({ where: { id: actor.keyId } });

/**
 * The bounds of a key that another hands out: its own where nothing is asked. Throws `forbidden` for more than it has,
 * for else a key that expires could outlive itself.
 */
export function boundedBy(own: KeyBounds, asked: Partial<KeyBounds>): KeyBounds {
  const { expiresAt = own.expiresAt, allowedAddresses = own.allowedAddresses } = asked;
  if (own.expiresAt && (!expiresAt || expiresAt > own.expiresAt)) {
    throw refusal("expires_at", `This key expires at ${own.expiresAt.toISOString()}, and so must what it hands out.`);
  }
  const networks = networksOf(own.allowedAddresses);
  const isInside = (entry: Network) => networks.length === 0 || isWithinNetworks(networks, entry);
  if (networks.length > 0 && allowedAddresses.length === 0) {
    throw refusal("allowed_addresses", "This key works from some addresses only, and so must what it hands out.");
  }
  const outside = networksOf(allowedAddresses).findIndex((entry) => !isInside(entry));
  if (outside !== -1) {
    const entry = allowedAddresses[outside];
    throw refusal(`allowed_addresses[${outside}]`, `${entry} is not among the addresses that this key works from.`);
  }
  return { expiresAt, allowedAddresses };
}

const networksOf = (entries: readonly string[]): Network[] =>
  entries.map(parseNetwork).filter((network): network is Network => network !== undefined);

const refusal = (param: string, message: string): ServiceError =>
  new ServiceError("forbidden", message, { param, details: { reason: "beyond_own_bounds" } });
