import type { Clock } from "../../kernel/clock";
import type { DirectPath } from "../http/create-server";

/** RFC 9116 recommends less than a year, so that an outdated file is not trusted. */
const VALID_MS = 180 * 24 * 60 * 60 * 1000;

/**
 * `/.well-known/security.txt` (RFC 9116) names the contact for vulnerability reports; absent unless an operator set
 * one.
 */
export function securityTxtPaths({ securityContact, publicUrl }: SecurityTxt, clock: Clock): DirectPath[] {
  if (securityContact === undefined) return [];
  const textOf = () =>
    [
      `Contact: ${securityContact}`,
      `Expires: ${new Date(clock.now().getTime() + VALID_MS).toISOString()}`,
      "Preferred-Languages: en",
      `Canonical: ${publicUrl}/.well-known/security.txt`,
      `Policy: ${publicUrl}/docs/security#report`,
      "",
    ].join("\n");
  const headers = { "content-type": "text/plain; charset=utf-8", "cache-control": "public, max-age=86400" };
  return [{ path: "/.well-known/security.txt", answer: () => new Response(textOf(), { headers }) }];
}

interface SecurityTxt {
  securityContact: string | undefined;
  publicUrl: string;
}
