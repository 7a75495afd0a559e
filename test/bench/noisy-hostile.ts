import { setMaxListeners } from "node:events";
import { writeFile } from "node:fs/promises";
import os from "node:os";
import type { Attack } from "./noisy-attack";
import { HostileClient, type Tally } from "./noisy-client";
import { startHostileImages } from "./noisy-images";
import { POD_ATTACKS } from "./noisy-pods";
import { REQUEST_ATTACKS } from "./noisy-requests";
import type { BenchTenant } from "./noisy-tenants";
import { endsWithBench } from "./serve";

/** What the process of the hostile tenants is told once. */
export interface Hostility {
  url: string;
  runsPods: boolean;
  /** By the id of its attack. */
  tenants: Record<string, BenchTenant>;
}

/** In the order of their numbers. */
export const ATTACKS: readonly Attack[] = [...REQUEST_ATTACKS, ...POD_ATTACKS].sort(
  (a, b) => Number.parseInt(a.id, 10) - Number.parseInt(b.id, 10),
);

/** For documentation (RFC 5737): each hostile tenant has an address of its own. */
const NETWORK = "198.51.100";

/**
 * A process of their own, so that what they do does not delay the clock of those who are measured. It gets the cores that
 * nobody else wants: on machines of their own they would not take those of svc.
 */
export async function serveHostile(): Promise<void> {
  os.setPriority(os.constants.priority.PRIORITY_LOW);
  // Linux can schedule sessions instead of processes.
  await writeFile("/proc/self/autogroup", `${os.constants.priority.PRIORITY_LOW}`).catch(() => undefined);
  const { signal } = endsWithBench();
  signal.addEventListener("abort", () => process.exit(0));
  const images = await startHostileImages();
  if (typeof images === "string") process.stderr.write(`no pods of hostile tenants: ${images}\n`);
  const stopped = new AbortController();
  // Each open request of a hostile tenant listens.
  setMaxListeners(0, stopped.signal);
  process.on("message", (order: Hostility | "stop") => {
    if (order === "stop") return stopped.abort();
    void attackAll(order, typeof images === "string" ? undefined : images, stopped.signal).then((tallies) => {
      process.send?.({ tallies }, () => process.exit(0));
    });
  });
  process.send?.({ port: 0 });
}

async function attackAll(
  { url, runsPods, tenants }: Hostility,
  images: Exclude<Awaited<ReturnType<typeof startHostileImages>>, string> | undefined,
  signal: AbortSignal,
): Promise<Record<string, Tally>> {
  const tallies: Record<string, Tally> = {};
  const attackBy = async (attack: Attack) => {
    const tenant = tenants[attack.id];
    if (!tenant || (attack.needsPods && !(runsPods && images))) return;
    const tally: Tally = {};
    tallies[attack.id] = tally;
    const address = `${NETWORK}.${ATTACKS.indexOf(attack) + 1}`;
    const clients = tenant.keys.map((key) => new HostileClient({ url, key, address, tally, signal }));
    const [client] = clients;
    if (!client) return;
    await attack.run({ client, clients, images }).catch((cause) => client.count(`the bench failed: ${cause}`));
  };
  await Promise.all(ATTACKS.map(attackBy));
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  return tallies;
}
