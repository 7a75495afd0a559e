import type { useTRPCClient } from "../../../../trpc/client";
import type { Bucket } from "../bucket";

/** Objects by their keys, and folders by their prefixes, with everything in them. */
export interface Chosen {
  keys: readonly string[];
  folders: readonly string[];
}

/** The most keys that one call lists or deletes. */
const PAGE_MAX = 1000;

/** Deletes objects and folders, 1,000 objects at a time. Rejects when a call fails; what was deleted before stays so. */
export async function deleteChosen(
  client: ReturnType<typeof useTRPCClient>,
  { id: bucket }: Bucket,
  { keys, folders }: Chosen,
): Promise<void> {
  for (let at = 0; at < keys.length; at += PAGE_MAX) {
    await client.deleteObjects.mutate({ bucket, keys: keys.slice(at, at + PAGE_MAX) });
  }
  for (const prefix of folders) {
    for (;;) {
      const { data } = await client.listObjects.query({ bucket, prefix, limit: PAGE_MAX });
      if (data.length === 0) break;
      await client.deleteObjects.mutate({ bucket, keys: data.map(({ key }) => key) });
    }
  }
}
