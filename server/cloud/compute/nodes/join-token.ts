import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { ServiceError } from "../../../kernel/errors";

const PREFIX = "svc_join_";
/** When it ends in milliseconds, 8 random bytes, and a MAC of both cut to 128 bits. */
const HEAD_BYTES = 16;
const MAC_BYTES = 16;

/** A token with which nodes can join until `expiresAt`; it is not stored. */
export function createJoinToken(nodesKey: Buffer, expiresAt: Date): string {
  const head = Buffer.concat([Buffer.alloc(8), randomBytes(8)]);
  head.writeBigUInt64BE(BigInt(expiresAt.getTime()));
  return PREFIX + Buffer.concat([head, macOf(nodesKey, head)]).toString("base64url");
}

/** Throws `unauthorized` for a token that this installation did not make, or that has ended. */
export function checkJoinToken(nodesKey: Buffer, token: string, now: Date): void {
  const bytes = Buffer.from(token.slice(PREFIX.length), "base64url");
  const [head, mac] = [bytes.subarray(0, HEAD_BYTES), bytes.subarray(HEAD_BYTES)];
  const isOurs = token.startsWith(PREFIX) && mac.length === MAC_BYTES && timingSafeEqual(mac, macOf(nodesKey, head));
  if (!isOurs) throw unauthorized("The join token is not one of this installation.");
  if (Number(head.readBigUInt64BE()) <= now.getTime()) throw unauthorized("The join token has expired.");
}

/** What a node that joins again sends: only who has the drive key of its last join can make it. */
export const joinProof = (driveKey: Buffer, token: string): string =>
  createHmac("sha256", driveKey).update(`join again:${token}`).digest("base64");

const macOf = (key: Buffer, head: Buffer): Buffer =>
  createHmac("sha256", key).update("join").update(head).digest().subarray(0, MAC_BYTES);

const unauthorized = (why: string): ServiceError =>
  new ServiceError("unauthorized", `${why} Make a new one with: npm run svc -- admin join-token`, { param: "token" });
