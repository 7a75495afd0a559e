import { addJob } from "../../engines/jobs/add-job";
import type { User } from "../../engines/postgres/generated/client";
import { ServiceError } from "../../kernel/errors";
import { takeForAddress, tryTake, tryTakeForAccount, tryTakeForNetwork } from "../attempts";
import { StoredRequest } from "../audit/stored-request";
import type { VisitorCtx } from "../identity-ctx";
import { findCandidates } from "../users/find-account";
import { compareWithAll } from "./compare-with-all";
import { isKnownAddress, knownDevices } from "./known-devices";
import { claimLogInCode } from "./log-in-code";
import { RECORD_FAILED_SIGN_IN } from "./record-failed-sign-in";
import { SEND_LOG_IN_CODE } from "./send-log-in-code";

export interface Credentials {
  email: string;
  password: string;
  /** A code from the account's mailbox; an empty string requests one. */
  code?: string | undefined;
}

/**
 * Returns the user with this email and password. Unknown account, wrong password and wrong code fail with the same
 * `unauthorized` after the same work. Attempts by others do not lock the owner out: a known device has its own bucket,
 * a network with too many attempts gets `rate_limited` unless it sends `code`, and an account with too many attempts
 * requires a code from addresses without an active session (`unauthorized` with `details.reason: "code_required"`). A
 * code is sent, and its attempts are counted, only if the password is correct; the response does not reveal this.
 */
export async function verifyCredentials(ctx: VisitorCtx, credentials: Credentials): Promise<User> {
  const { email, password, code } = credentials;
  const devices = await knownDevices(ctx);
  const knownIds = devices.map(({ userId }) => userId);
  const candidates = await findCandidates(ctx.db, { email, knownIds });
  const own = devices.find(({ userId }) => candidates.some(({ id }) => id === userId));
  let compared: Promise<User | undefined> | undefined;
  const compare = () => {
    compared ??= compareWithAll(ctx.hasher, candidates, password);
    return compared;
  };
  if (own && (await tryTake(ctx, "passwordDevice", `${own.userId}:${own.deviceId}`)).allowed) {
    const user = await compare();
    if (user?.id === own.userId) return user;
  }
  const isCodeNeeded = await admitStranger(ctx, credentials);
  const user = await compare();
  if (!isCodeNeeded) return user ?? refuseWrong(ctx, credentials);
  if (code === undefined && (await isKnownAddress(ctx, user?.id)) && user) return user;
  if (!code) return askForCode(ctx, email, user);
  return user && (await claimLogInCode(ctx, { userId: user.id, code })) ? user : refuseWrong(ctx, credentials);
}

/**
 * Whether the attempt requires a code. Throws `rate_limited` for a network with too many attempts on this or any
 * account.
 */
async function admitStranger(ctx: VisitorCtx, { email, code }: Credentials): Promise<boolean> {
  await takeForAddress(ctx, "passwordAddress");
  if (code !== undefined) return true;
  const { allowed, retryAfterMs } = await tryTakeForNetwork(ctx, "password", email);
  if (allowed) return !(await tryTakeForAccount(ctx, "passwordAccount", email)).allowed;
  const retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  throw new ServiceError(
    "rate_limited",
    `Too many attempts on this account from your network; try again in ${retryAfterSeconds} s, or log in with a code: send an empty \`code\` to get one by email.`,
    { retryAfterSeconds, details: { reason: "code_accepted" } },
  );
}

async function refuseWrong(ctx: VisitorCtx, { email, code }: Credentials): Promise<never> {
  const request = StoredRequest.parse(ctx.request);
  await addJob(ctx.db, RECORD_FAILED_SIGN_IN, { email, at: ctx.clock.now(), request });
  if (!code) throw new ServiceError("unauthorized", "The email or the password is wrong.");
  throw new ServiceError("unauthorized", "The email, the password or the code is wrong.", {
    details: { reason: "code_invalid" },
  });
}

/** The job is the same for all accounts, so that timing does not reveal whether a code is sent. */
async function askForCode(ctx: VisitorCtx, email: string, user: User | undefined): Promise<never> {
  const request = StoredRequest.parse(ctx.request);
  await addJob(ctx.db, SEND_LOG_IN_CODE, { email, userId: user?.id ?? null, at: ctx.clock.now(), request });
  const source =
    ctx.mail.delivery === "smtp"
      ? "If the password is correct, a code is sent to the address of the account"
      : "Ask the operator of this site for a code (npm run svc -- admin log-in-code)";
  throw new ServiceError(
    "unauthorized",
    `This login requires a code in addition to the password, because there were too many failed attempts. ${source}; send it as \`code\`.`,
    { param: "code", details: { reason: "code_required" } },
  );
}
