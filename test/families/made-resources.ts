import { waitFor } from "../factories/wait-for";
import type { Listed, Provisioned, World } from "./family-proof";

type Shown = Provisioned & { state: string };
const listed = async (world: World) => (await world.call<Listed<Shown>>("/v1/resources?limit=100")).body.data;

/** A resource that a proof needs, once it is ready. */
export async function created(world: World, { service, name, spec }: Asked): Promise<Provisioned> {
  await world.call("/v1/resources", { body: { service, name, spec } });
  return waitFor(async () => {
    const found = (await listed(world)).find((one) => one.name === name);
    if (found?.state !== "ready") throw new Error(`${name} is ${JSON.stringify(found)}`);
    return found;
  });
}

interface Asked {
  service: string;
  name: string;
  spec: object;
}

/** Deletes the resource with a name; resolves when it is gone. */
export async function deleted(world: World, name: string): Promise<void> {
  const found = (await listed(world)).find((one) => one.name === name);
  if (!found) return;
  await world.call(`/v1/resources/${found.rid}`, { method: "DELETE" });
  await waitFor(async () => {
    if ((await listed(world)).some(({ rid }) => rid === found.rid)) throw new Error(`${name} is still there`);
  });
}
