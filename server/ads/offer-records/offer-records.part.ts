import type { Pool } from "pg";
import { dropOldPartitions, ensurePartitions } from "../../engines/postgres/partitions";
import type { Part } from "../../identity/part";
import type { Clock } from "../../kernel/clock";
import { OfferRecords } from "./offer-records";

interface Needs {
  sql: Pool;
  clock: Clock;
}

const KEEP_PARTITIONS = "keep_partitions";

/** The records of served offers, in a partition for each day. */
export const offerRecordsPart: Part<Needs, { records: OfferRecords }> = {
  name: "offer records",
  start: ({ sql, clock }) => ({
    gives: { records: new OfferRecords(sql) },
    tasks: {
      [KEEP_PARTITIONS]: async () => {
        await ensurePartitions(sql, clock.now());
        await dropOldPartitions(sql, clock.now());
      },
    },
    crontab: [`7 * * * * ${KEEP_PARTITIONS}`],
  }),
};
