import { z } from "zod";
import type { Counters } from "../../engines/counters/counters";
import type { PrismaClient } from "../../engines/postgres/generated/client";
import type { Clock } from "../../kernel/clock";
import { ReadThrough } from "../../kernel/read-through";
import type { SignUpModeReader } from "../identity-ctx";

export const SignUpMode = z.enum(["open", "invite"]);
/** `invite`: only people with an invitation may sign up. */
export type SignUpMode = z.output<typeof SignUpMode>;

/** The row of `settings` that overrides SVC_SIGNUP. */
const SETTING = "sign_up_mode";
/** The topic that notifies every process of a change. */
const SIGN_UP_MODE_CHANGED = "identity:sign_up_mode_changed";
/** How long a process that missed the message uses the old mode. */
const REMEMBERED_MS = 10_000;

export interface SignUpModeParts {
  db: PrismaClient;
  clock: Clock;
  counters: Pick<Counters, "subscribe">;
  configured: SignUpMode;
}

/**
 * Returns the mode that an operator set, otherwise `configured`; cached for ten seconds, and read again after a change.
 */
export async function createSignUpModeReader({
  db,
  clock,
  counters,
  configured,
}: SignUpModeParts): Promise<SignUpModeReader> {
  const read = async () => (await readSignUpMode(db)) ?? configured;
  const modes = new ReadThrough<SignUpMode>({ clock, read, freshMs: REMEMBERED_MS, max: 1 });
  const close = await counters.subscribe(SIGN_UP_MODE_CHANGED, () => modes.forget(SETTING));
  return { current: async () => (await modes.find(SETTING)) ?? configured, close };
}

/** The mode that an operator set; undefined where SVC_SIGNUP decides. */
export async function readSignUpMode(db: PrismaClient): Promise<SignUpMode | undefined> {
  const row = await db.setting.findUnique({ where: { name: SETTING } });
  return SignUpMode.safeParse(row?.value).data;
}

export interface SetSignUpModeCtx {
  db: PrismaClient;
  clock: Clock;
  counters: Pick<Counters, "publish">;
}

/**
 * Sets the mode for every process, overriding SVC_SIGNUP. Processes that miss the message apply it within ten seconds.
 */
export async function setSignUpMode({ db, clock, counters }: SetSignUpModeCtx, mode: SignUpMode): Promise<void> {
  const set = { value: mode, setAt: clock.now() };
  await db.setting.upsert({ where: { name: SETTING }, create: { name: SETTING, ...set }, update: set });
  await counters.publish(SIGN_UP_MODE_CHANGED, mode).catch(() => undefined);
}
