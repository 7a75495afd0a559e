import type { ApiKey, Prisma } from "../../engines/postgres/generated/client";
import { ServiceError } from "../../kernel/errors";
import { isWithinNetworks, type Network, parseNetwork } from "../../kernel/networks";
import type { Actor } from "../../operation/actor";

/** When a key expires and which addresses may use it. */
export type KeyLimits = Pick<ApiKey, "expiresAt" | "allowedAddresses">;

const UNBOUNDED: KeyLimits = { expiresAt: null, allowedAddresses: [] };

/** The limits of the actor: those of a key, none for a person. */
export const keyLimitsOf = async (tx: Prisma.TransactionClient, actor: Actor): Promise<KeyLimits> =>
  actor.kind === "person" ? UNBOUNDED : tx.apiKey.findUniqueOrThrow({ where: { id: actor.keyId } });

/**
 * The limits of a key that the actor creates or rotates: by default the actor's own. Throws `forbidden` for more, so
 * that a key cannot create one that outlives it.
 */
export function limitedBy(own: KeyLimits, asked: Partial<KeyLimits>): KeyLimits {
  const { expiresAt = own.expiresAt, allowedAddresses = own.allowedAddresses } = asked;
  if (own.expiresAt && (!expiresAt || expiresAt > own.expiresAt)) {
    throw refusal(
      "expires_at",
      `This key expires at ${own.expiresAt.toISOString()}; a key that it creates or rotates must expire no later.`,
    );
  }
  const networks = networksOf(own.allowedAddresses);
  const isInside = (entry: Network) => networks.length === 0 || isWithinNetworks(networks, entry);
  if (networks.length > 0 && allowedAddresses.length === 0) {
    throw refusal(
      "allowed_addresses",
      "This key is limited to some addresses; a key that it creates or rotates must be limited to them too.",
    );
  }
  const outside = networksOf(allowedAddresses).findIndex((entry) => !isInside(entry));
  if (outside !== -1) {
    const entry = allowedAddresses[outside];
    throw refusal(`allowed_addresses[${outside}]`, `${entry} is not among the allowed addresses of this key.`);
  }
  return { expiresAt, allowedAddresses };
}

const networksOf = (entries: readonly string[]): Network[] =>
  entries.map(parseNetwork).filter((network): network is Network => network !== undefined);

const refusal = (param: string, message: string): ServiceError =>
  new ServiceError("forbidden", message, { param, details: { reason: "beyond_own_bounds" } });
