import { randomInt } from "node:crypto";
import { once } from "node:events";
import net from "node:net";
import { codeOf } from "../file-failures";

/** A user of the machine, until it is released or this process ends. */
export interface ClaimedUser {
  uid: number;
  release(): void;
}

/** Users that no account has, after those of the files of workloads and before those of their processes. */
const FIRST_UID = 1_900_100_000;
const UIDS = 65_536;

/**
 * One for each process of workers, so that none can reach another's, nor take what the kernel allows to its user. A name of
 * an abstract socket, which the kernel frees with its process, claims it among all processes of svc. An ordinary user has
 * no other than itself.
 */
export async function claimUser(choose = (): number => FIRST_UID + randomInt(UIDS)): Promise<ClaimedUser> {
  const own = process.getuid?.() ?? 0;
  if (own !== 0) return { uid: own, release: () => undefined };
  for (;;) {
    const uid = choose();
    const claim = net.createServer().unref();
    try {
      claim.listen(`\0svc-worker-${uid}`);
      await once(claim, "listening");
      return { uid, release: () => void claim.close() };
    } catch (cause) {
      if (codeOf(cause) !== "EADDRINUSE") throw cause;
    }
  }
}
