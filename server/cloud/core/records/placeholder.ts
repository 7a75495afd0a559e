import { createHmac } from "node:crypto";
import { canonicalJson } from "../../../kernel/canonical-json";
import type { Mode } from "../../../operation/actor";
import type { ServiceId } from "../planes/planes";

/** Placeholders of one tenant in one mode, of all services. */
export const PLACEHOLDERS_MAX = 200;

const ID_CHARACTERS = 26;
const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

/** What a resource is, apart from who made it when. */
export interface ResourceIdentity extends ServiceId {
  tenantId: string;
  projectId: string;
  mode: Mode;
  kind: string;
  name: string;
  /** Parsed, with defaults. */
  spec: unknown;
}

/** The id of a placeholder, which is the same for the same request, in every process and at all times. `hashing`: see `SpecKeys`. */
export function placeholderId(
  hashing: Buffer,
  { tenantId, projectId, mode, plane, service, kind, name, spec }: ResourceIdentity,
): string {
  const text = canonicalJson([tenantId, projectId, mode, plane, service, kind, name, spec]);
  const digest = createHmac("sha256", hashing).update(text).digest();
  return `plc_${base32(digest)}`;
}

function base32(bytes: Buffer): string {
  let text = "";
  let [held, bits] = [0, 0];
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xffff;
    for (bits += 8; bits >= 5 && text.length < ID_CHARACTERS; bits -= 5) {
      text += BASE32.charAt((held >> (bits - 5)) & 31);
    }
  }
  return text;
}
