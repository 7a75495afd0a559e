import path from "node:path";
import type { Logger } from "pino";
import type { Counters } from "../../../engines/counters/counters";
import type { Tasks } from "../../../engines/jobs/start-jobs";
import type { StartedAlarms } from "../../../engines/start-alarms";
import { idFloor } from "../../../kernel/ids";
import { repeat } from "../../../kernel/repeat";
import { CHAT_REQUEST_ID_PREFIX } from "./begun-row";
import { deleteSpendBefore } from "./chat-budget.sql";
import { ChatJournal } from "./chat-journal";
import { deleteRequestsBefore } from "./chat-requests.sql";
import { createChatLedger, newChatProcessId } from "./create-chat-ledger";
import { PlainPlaces } from "./plain-places";
import { type CrossingParts, recordBudgetCrossings } from "./record-budget-crossings";
import { recoverRequests } from "./recover-requests";
import type { AtChatStep } from "./steps";
import { startChatSweep } from "./sweep-requests";

const FORGET_CHAT_REQUESTS = "forget_chat_requests";
const DAY_MS = 86_400_000;
const LOG_KEPT_MS = 30 * DAY_MS;
/** The windows of budgets are months at most. */
const SPEND_KEPT_MS = 400 * DAY_MS;
const BUDGETS_TOPIC = "chat-budgets";
const CROSSINGS_GATHER_MS = 1000;
/** Other processes with the same data directory may be killed while this one lives. */
const RECOVER_EVERY_MS = 5000;

export interface StartChatLedger extends CrossingParts {
  log: Pick<Logger, "info" | "warn" | "error">;
  encryptionKey: Buffer;
  roles: ReadonlySet<string>;
  counters: Pick<Counters, "subscribe" | "publish">;
  alarms: Pick<StartedAlarms, "add" | "announce">;
  /** Has the folder of journals. */
  dataDir: string;
  atStep?: AtChatStep | undefined;
}

/** Starts the ledger of this process; workers also finish what ended processes have left, and record what budgets reach. */
export function startChatLedger(parts: StartChatLedger) {
  const { sql, clock, log, alarms, roles, dataDir } = parts;
  const processId = newChatProcessId(clock);
  const plainPlaces = new PlainPlaces({ ...parts, processId });
  const dir = path.join(dataDir, "chat");
  const onSpent = () => alarms.announce(BUDGETS_TOPIC);
  const ledger = createChatLedger({ ...parts, plainPlaces, processId, onSpent, journal: new ChatJournal(dir) });
  const loops: { stop(): Promise<void> }[] = [
    repeat(
      { everyMs: RECOVER_EVERY_MS, log, purpose: "finish the chat requests of processes that were killed" },
      () => recoverRequests({ sql, clock, log, dir, onSpent }),
      { atOnce: true },
    ),
  ];
  if (roles.has("worker"))
    loops.push(
      startChatSweep({ sql, clock, log, alarms, onSpent }),
      alarms.add({
        topic: BUDGETS_TOPIC,
        purpose: "record what chat budgets reached",
        gatherMs: CROSSINGS_GATHER_MS,
        run: () => recordBudgetCrossings(parts),
      }),
    );
  const tasks: Tasks = {
    [FORGET_CHAT_REQUESTS]: async () => {
      const now = clock.now().getTime();
      await deleteRequestsBefore(sql, idFloor(CHAT_REQUEST_ID_PREFIX, now - LOG_KEPT_MS));
      await deleteSpendBefore(sql, new Date(now - SPEND_KEPT_MS));
    },
  };
  return {
    ledger,
    tasks,
    /** In graphile-worker's crontab format. */
    crontab: `47 * * * * ${FORGET_CHAT_REQUESTS}`,
    stop: async () => {
      await plainPlaces.close();
      await ledger.stop();
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}
