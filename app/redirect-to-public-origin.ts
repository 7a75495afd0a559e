import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { surfaces } from "../server/surfaces";
import { publicUrlFor } from "./public-origin";

/** Redirects when the page would not work under the host name that the visitor typed. */
export async function redirectToPublicOrigin(): Promise<void> {
  const requestHeaders = await headers();
  const address = publicUrlFor({
    host: requestHeaders.get("host"),
    path: requestHeaders.get("x-path") ?? "/",
    publicUrl: surfaces().publicUrl,
  });
  if (address) redirect(address);
}
