import { layerOf, programLayer } from "../factories/image-layers";
import { startRegistryDouble } from "../factories/registry-double";

const PROGRAMS = ["sh", "sleep", "cat", "dd", "perl", "setsid"];
const CONFIG = { Env: ["PATH=/bin"], Entrypoint: ["/bin/sh", "-c"], Cmd: ["exit 0"] };
const BETWEEN_BYTES_MS = 20_000;

/** The images of the hostile tenants, in registries on loopback. */
export interface HostileImages {
  /** With a shell, dd, perl and setsid. */
  programs: string;
  /** Its layer comes a byte every 20 s. */
  slow: string;
  /** Names the layer of `programs` by its digest, in a registry that does not have it. */
  claimed: string;
  stop(): Promise<void>;
}

/** A sentence if this machine lacks one of the programs. */
export async function startHostileImages(): Promise<HostileImages | string> {
  const layer = await programLayer(PROGRAMS);
  if (typeof layer === "string") return layer;
  const [own, other] = [await startRegistryDouble(), await startRegistryDouble()];
  const { reference: programs } = own.add("programs", { layers: [layer], config: CONFIG });
  const drip = await layerOf([{ name: "drip", content: "drip" }]);
  const { reference: slow, layers: dripped } = own.add("slow", { layers: [drip], config: CONFIG });
  for (const { digest } of dripped) own.slow.set(digest, BETWEEN_BYTES_MS);
  const { reference: claimed, layers } = other.add("claimed", { layers: [layer], config: CONFIG });
  for (const { digest } of layers) other.blobs.delete(digest);
  const stop = async () => {
    await Promise.all([own.stop(), other.stop()]);
  };
  return { programs, slow, claimed, stop };
}
