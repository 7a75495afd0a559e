import { createHash } from "node:crypto";
import { canonicalJson } from "../../../kernel/canonical-json";
import type { Mode } from "../../../operation/actor";
import type { Plane, ResourceService } from "./services";

const ID_CHARACTERS = 26;
const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

/** What a resource is, apart from who made it when. */
export interface ResourceIdentity {
  tenantId: string;
  projectId: string;
  mode: Mode;
  plane: Plane;
  service: ResourceService;
  kind: string;
  name: string;
  /** Parsed, with defaults. */
  spec: unknown;
}

/** SHA-256 of a spec in canonical form, hexadecimal: equal specs have equal hashes. */
export const specHashOf = (spec: unknown): string => createHash("sha256").update(canonicalJson(spec)).digest("hex");

/** The id of a placeholder, which is the same for the same request, in every process and at all times. */
export function placeholderId({
  tenantId,
  projectId,
  mode,
  plane,
  service,
  kind,
  name,
  spec,
}: ResourceIdentity): string {
  const text = canonicalJson([tenantId, projectId, mode, plane, service, kind, name, spec]);
  const digest = createHash("sha256").update(text).digest();
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
