import { Resolver } from "node:dns/promises";

/** Two tries of this length end before the limit of a request. */
const LIMITS = { timeout: 2500, tries: 2 };

/**
 * Every address of a name, IPv4 first, by asking DNS servers without a thread: a name whose servers are silent would
 * otherwise occupy the threads that all lookups of the process share. Throws the error of DNS if there are none.
 */
export async function resolvePublic(hostname: string): Promise<string[]> {
  const resolver = new Resolver(LIMITS);
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = [v4, v6].flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  if (addresses.length === 0 && v4.status === "rejected") throw v4.reason;
  return addresses;
}
