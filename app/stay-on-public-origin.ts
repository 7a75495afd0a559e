import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { surfaces } from "../server/surfaces";
import { publicAddressOf } from "./public-origin";

/** Answers with a redirect where the page would not work under the name that the visitor typed. */
export async function stayOnPublicOrigin(): Promise<void> {
  const requestHeaders = await headers();
  const address = publicAddressOf({
    host: requestHeaders.get("host"),
    path: requestHeaders.get("x-path") ?? "/",
    publicUrl: surfaces().publicUrl,
  });
  if (address) redirect(address);
}
