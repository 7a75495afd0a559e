import { z } from "zod";
import type { Counters } from "../../engines/counters/counters";
import type { PrismaClient } from "../../engines/postgres/generated/client";
import type { Clock } from "../../kernel/clock";
import { ReadThrough } from "../../kernel/read-through";

export const SignUpMode = z.enum(["open", "invite"]);
/** `invite`: only who holds an invitation signs up. */
export type SignUpMode = z.output<typeof SignUpMode>;

/** The row of `settings` that wins over SVC_SIGNUP. */
const SETTING = "sign_up_mode";
/** The topic on which every process hears of a change. */
const SIGN_UP_MODE_CHANGED = "identity:sign_up_mode_changed";
/** How long a process that does not hear of a change goes by the old mode. */
const REMEMBERED_MS = 10_000;

export interface SignUpModeReader {
  current(): Promise<SignUpMode>;
  close(): Promise<void>;
}

/** What an operator set, else `configured`; known from memory for ten seconds, and read anew after a change. */
export async function createSignUpModeReader(parts: {
  db: PrismaClient;
  clock: Clock;
  counters: Pick<Counters, "subscribe">;
  configured: SignUpMode;
}): Promise<SignUpModeReader> {
  const { db, clock, counters, configured } = parts;
  const read = async () => (await readSignUpMode(db)) ?? configured;
  const modes = new ReadThrough<SignUpMode>({ clock, read, freshMs: REMEMBERED_MS, max: 1 });
  const close = await counters.subscribe(SIGN_UP_MODE_CHANGED, () => modes.forget(SETTING));
  return { current: async () => (await modes.find(SETTING)) ?? configured, close };
}

/** What an operator set; undefined where SVC_SIGNUP decides. */
export async function readSignUpMode(db: PrismaClient): Promise<SignUpMode | undefined> {
  const row = await db.setting.findUnique({ where: { name: SETTING } });
  return SignUpMode.safeParse(row?.value).data;
}

export interface SetSignUpModeCtx {
  db: PrismaClient;
  clock: Clock;
  counters: Pick<Counters, "publish">;
}

/** Sets the mode for every process, over SVC_SIGNUP. Processes that do not hear of it follow within ten seconds. */
export async function setSignUpMode({ db, clock, counters }: SetSignUpModeCtx, mode: SignUpMode): Promise<void> {
  const set = { value: mode, setAt: clock.now() };
  await db.setting.upsert({ where: { name: SETTING }, create: { name: SETTING, ...set }, update: set });
  await counters.publish(SIGN_UP_MODE_CHANGED, mode).catch(() => undefined);
}
