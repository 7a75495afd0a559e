import { z } from "zod";
import { isInNetworks, type Network, parseNetwork } from "../../kernel/networks";

const ALLOWED_ADDRESSES_MAX = 50;

/** Where a key may be used from; none: anywhere. Each entry is refused by its place in the list and its text. */
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

/** Parses once what every request with the key is then compared with. */
export function allowanceOf(entries: readonly string[]): (address: string) => boolean {
  if (entries.length === 0) return () => true;
  const networks = entries.map(parseNetwork).filter((network): network is Network => network !== undefined);
  return (address) => isInNetworks(networks, address);
}
