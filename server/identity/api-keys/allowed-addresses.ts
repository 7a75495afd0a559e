import { z } from "zod";
import { isInNetworks, type Network, parseNetwork } from "../../kernel/networks";

const ALLOWED_ADDRESSES_MAX = 50;

/**
 * The addresses that a key may be used from; empty allows any. An error names the invalid entry by its index and text.
 */
export const AllowedAddresses = z
  .array(
    z
      .string()
      .trim()
      .refine((text) => parseNetwork(text) !== undefined, {
        error: ({ input }) =>
          `"${String(input).slice(0, 60)}" is neither an address nor a network; ` +
          "expected one such as 203.0.113.7, 203.0.113.0/24 or 2001:db8::/32",
      }),
  )
  .max(ALLOWED_ADDRESSES_MAX)
  .transform((entries) => [...new Set(entries)])
  .describe("Addresses and networks in CIDR notation that may use the key; empty: any");

/** Parses the list once, so that each request is only compared with it. */
export function allowanceOf(entries: readonly string[]): (address: string) => boolean {
  if (entries.length === 0) return () => true;
  const networks = entries.map(parseNetwork).filter((network): network is Network => network !== undefined);
  return (address) => isInNetworks(networks, address);
}
