-- Outside Prisma's schema. Times are milliseconds since 1970. Rows are only inserted; what is over is deleted by ranges
-- at the low end of the keys, where no query reads, so that dead rows cost nothing while an old snapshot keeps them.

-- Every turn of a queue. The state of a queue is what its entries say, in order: server/cloud/queue-log/entry.ts.
CREATE TABLE "queue_log" (
    "queue_id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "entry" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    PRIMARY KEY ("queue_id", "seq")
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 50000, autovacuum_vacuum_insert_scale_factor = 0.2);

-- The state after an entry, from time to time, so that older entries can be deleted.
CREATE TABLE "queue_snapshots" (
    "queue_id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "state" TEXT NOT NULL,
    PRIMARY KEY ("queue_id", "seq")
);

-- Messages at neighbouring positions of one turn, as many as fit into a page. Positions are given by the entry that stores
-- the messages, in the same statement: their order is the order of commits.
CREATE TABLE "queue_chunks" (
    "queue_id" TEXT NOT NULL,
    -- The position of the first message.
    "first" BIGINT NOT NULL,
    "count" INTEGER NOT NULL,
    -- When they came to this queue: later than they were sent after a move.
    "stored_at" BIGINT NOT NULL,
    -- JSON of what a queue's state keeps of them; see server/cloud/queue-log/pack-messages.ts.
    "messages" TEXT NOT NULL,
    -- One record after the other; see server/cloud/queue-log/record.ts.
    "records" BYTEA NOT NULL,
    PRIMARY KEY ("queue_id", "first")
) WITH (
    -- A chunk that fills a page stays in it, where a part of it is read without a lookup of its own.
    toast_tuple_target = 8160,
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 7000, autovacuum_vacuum_insert_scale_factor = 0.2
);

CREATE TABLE "queue_deduplications" (
    "queue_id" TEXT NOT NULL,
    "deduplication_id" TEXT NOT NULL,
    "message_id" TEXT NOT NULL,
    "sent_at" BIGINT NOT NULL,
    PRIMARY KEY ("queue_id", "deduplication_id")
);

CREATE INDEX "queue_deduplications_sent_at_idx" ON "queue_deduplications"("sent_at");

-- How far the rows of a queue are deleted; one row per queue, updated when rows were deleted.
CREATE TABLE "queue_sweeps" (
    "queue_id" TEXT NOT NULL PRIMARY KEY,
    "position" BIGINT NOT NULL,
    "seq" BIGINT NOT NULL,
    -- The queue was deleted: all of its rows go.
    "removed" BOOLEAN NOT NULL DEFAULT false
);

CREATE INDEX "queue_sweeps_removed_idx" ON "queue_sweeps"("queue_id") WHERE "removed";
