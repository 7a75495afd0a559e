import path from "node:path";
import type { Logger } from "pino";
import { type Clock, systemClock } from "../../kernel/clock";
import type { AddressPolicy } from "../address-policy";
import type { Network } from "../guarded-fetch";
import { chooseRuntime, type RuntimeChoice } from "./choose-runtime";
import { openNamespacesRuntime } from "./namespaces/open-namespaces-runtime";

export interface RuntimeSettings {
  /** The folder that contains package.json. */
  rootDir: string;
  /** The data directory; one process of svc at a time uses its workloads. */
  dataDir: string;
  /** Which registries may be asked; with loopback addresses also those of a developer's machine, by http. */
  policy: AddressPolicy;
  /** Of unpacked layers on the disk; default 40 GiB. */
  cacheBytesMax?: number | undefined;
  /** Tests pass their own. */
  network?: Network | undefined;
  clock?: Clock | undefined;
  log: Pick<Logger, "info" | "warn">;
}

/** The runtime of this machine, which is chosen when it is first needed. */
export interface StartedRuntime {
  /** The same choice on every call. */
  choice(): Promise<RuntimeChoice>;
  /** Interrupts starts; workloads keep running, and the next start of svc finds them. */
  stop(): Promise<void>;
}

const GIB = 1024 ** 3;
const CACHE_BYTES_DEFAULT = 40 * GIB;
/** Large images for machine learning have about 10 GiB. */
const IMAGE_LIMITS = { downloadBytesMax: 20 * GIB, bytesMax: 40 * GIB, entriesMax: 1_000_000 };

/** Returns at once; call `choice` early so that the trial of each runtime is over when the first workload comes. */
export function startRuntime(settings: RuntimeSettings): StartedRuntime {
  const { rootDir, dataDir, policy, network, clock = systemClock, log } = settings;
  let chosen: Promise<RuntimeChoice> | undefined;
  const choose = async () => {
    const choice = await chooseRuntime([
      {
        kind: "namespaces",
        open: () =>
          openNamespacesRuntime({
            rootDir,
            dir: path.join(path.resolve(dataDir), "runtime"),
            policy,
            network,
            clock,
            cacheBytesMax: settings.cacheBytesMax ?? CACHE_BYTES_DEFAULT,
            imageLimits: IMAGE_LIMITS,
            onWarning: (sentence) => log.warn(sentence),
          }),
      },
    ]);
    if (choice.runtime) log.info({ runtime: choice.runtime.kind }, "workloads run on this machine");
    else log.info({ reason: choice.reason }, "workloads cannot run on this machine");
    return choice;
  };
  return {
    choice: () => {
      chosen ??= choose();
      return chosen;
    },
    stop: async () => {
      const choice = await chosen;
      await choice?.runtime?.close();
    },
  };
}
