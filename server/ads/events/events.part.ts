import path from "node:path";
import type { ClickHouseClient } from "@clickhouse/client";
import type { Pool } from "pg";
import type { Logger } from "pino";
import type { StartedAlarms } from "../../engines/start-alarms";
import { DeadLetterFile } from "../../engines/wal/dead-letter-file";
import type { Wal } from "../../engines/wal/wal";
import type { Part } from "../../identity/part";
import type { OfferRecords } from "../offer-records/offer-records";
import { Claims } from "./claims";
import { FactLog } from "./fact-log";
import { createReplayClick } from "./replay-click";
import { drained, type Loop, shipFacts } from "./ship-facts";
import { OUTBOX_TOPIC, shipOutbox } from "./ship-outbox";
import { type AtStep, noStep } from "./steps";

interface Needs {
  sql: Pool;
  clickhouse: ClickHouseClient;
  wal: Wal;
  /** Write-ahead files of processes that an earlier start had in addition. */
  leftWals?: readonly Wal[] | undefined;
  alarms: Pick<StartedAlarms, "add" | "announce">;
  log: Logger;
  atStep?: AtStep | undefined;
  records: OfferRecords;
  /** The publisher's share of a charge, 0 to 1. */
  publisherShare: number;
  config: { dataDir: string; roles: ReadonlySet<string> };
}

interface Gives {
  claims: Claims;
  facts: FactLog;
  /** The number of facts that are missing from reports, by kind. */
  lostFacts: Record<"shed" | "refused" | "dropped", ReadonlyMap<string, number>>;
}

/** Without ClickHouse the events of an earlier process cannot be delivered; this is how long a start waits for it. */
const LEFT_EVENTS_WAIT_MS = 5000;

/** Counts events once and sends them to ClickHouse. */
export const eventsPart: Part<Needs, Gives> = {
  name: "events",
  start: async (needs) => {
    const { sql, wal, leftWals = [], records, alarms, log, atStep, config } = needs;
    const claims = new Claims(sql, atStep, () => alarms.announce(OUTBOX_TOPIC));
    const facts = new FactLog(wal, log);
    const deadLetters = new DeadLetterFile({ file: path.join(config.dataDir, "dead-letters.ndjson"), log });
    const loops = startLoops(needs, { claims, deadLetters });
    await drained([wal, ...leftWals], LEFT_EVENTS_WAIT_MS);
    return {
      gives: {
        claims,
        facts,
        lostFacts: { shed: facts.shed, refused: deadLetters.refused, dropped: deadLetters.dropped },
      },
      stop: async () => {
        try {
          await Promise.all([records.drain(), claims.drain()]);
        } finally {
          await Promise.all(loops.map((loop) => loop.stop()));
        }
      },
    };
  },
};

/** Every process ships its own write-ahead file and the ones it was left; only workers ship the outbox. */
function startLoops(needs: Needs, { claims, deadLetters }: { claims: Claims; deadLetters: DeadLetterFile }): Loop[] {
  const { sql, clickhouse, wal, leftWals = [], records, publisherShare, alarms, log, atStep = noStep, config } = needs;
  const replayClick = createReplayClick({ records, claims, publisherShare });
  const ship = { sql, clickhouse, replayClick, alarms, log, atStep, deadLetters };
  const loops: Loop[] = [wal, ...leftWals].map((each) => shipFacts({ ...ship, wal: each }));
  return config.roles.has("worker") ? [...loops, shipOutbox(ship)] : loops;
}
