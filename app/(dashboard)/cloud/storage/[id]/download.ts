import { toast } from "sonner";
import type { useTRPCClient } from "../../../../trpc/client";
import { failureOf } from "../../../../trpc/failure";
import type { Bucket } from "../bucket";

const LINK_SECONDS = 300;

/** Saves an object with the last part of its key as its name. */
export async function download(
  client: ReturnType<typeof useTRPCClient>,
  { id: bucket }: Bucket,
  key: string,
): Promise<void> {
  const name = key.split("/").findLast(Boolean) ?? "object";
  try {
    const { url } = await client.presignObject.mutate({
      bucket,
      key,
      operation: "get_object",
      expires_in: LINK_SECONDS,
      response_content_disposition: `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
    });
    const link = document.createElement("a");
    link.href = url;
    link.download = name;
    link.click();
  } catch (failure) {
    toast.error(failureOf(failure).message);
  }
}
