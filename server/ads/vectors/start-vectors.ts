import type { Pool } from "pg";
import type { Logger } from "pino";
import { Embeddings, type EmbeddingsConfig } from "../../engines/embeddings/embeddings";
import type { Clock } from "../../kernel/clock";
import { type Repeating, repeat } from "../../kernel/repeat";
import { ItemEmbedding } from "./embed-items";
import { VectorFollower } from "./follow-vectors";
import { NearestItems } from "./nearest-items";
import { VectorMatrix } from "./vector-matrix";

const EMBED_EVERY_MS = 2000;
const FOLLOW_EVERY_MS = 1000;

export interface VectorsConfig extends EmbeddingsConfig {
  /** Items with a lower cosine count as unrelated, 0 to 1. */
  cosineMin: number;
}

export interface StartVectors {
  sql: Pool;
  clock: Clock;
  log: Pick<Logger, "info" | "warn">;
  roles: ReadonlySet<string>;
  /** The memory limit of the vectors. */
  bytesMax: number;
}

/** The semantic engine of one process. */
export interface Vectors {
  /** Only if this process serves requests. */
  nearest: NearestItems | undefined;
  /** The number of items with a vector in this process, and the memory of the vectors. */
  readonly size: number;
  readonly bytes: number;
  /** How many vectors this process has made, and how many texts the server did not accept. */
  readonly made: number;
  readonly refused: number;
  /** Rejects with a reason while the server fails; sends nothing. */
  ping(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts the semantic engine: a worker makes the vectors of items in the background, a process that serves requests
 * loads them and follows their changes. It starts without waiting for the server or for vectors.
 */
export function startVectors(config: VectorsConfig, { sql, clock, log, roles, bytesMax }: StartVectors): Vectors {
  const embedder = new Embeddings(config, clock);
  const matrix = new VectorMatrix(bytesMax);
  const items = new ItemEmbedding({ sql, embedder, log });
  const loops: Repeating[] = [];
  const { model, cosineMin } = config;
  let nearest: NearestItems | undefined;
  if (roles.has("worker")) {
    const embedding = { everyMs: EMBED_EVERY_MS, log, purpose: "make vectors of items" };
    loops.push(repeat(embedding, (stopping) => items.round(stopping), { atOnce: true }));
  }
  if (roles.has("web")) {
    nearest = new NearestItems({ embedder, matrix, cosineMin, clock });
    const follower = new VectorFollower({ sql, model, matrix, log });
    const following = { everyMs: FOLLOW_EVERY_MS, log, purpose: "follow the vectors of items" };
    loops.push(repeat(following, (stopping) => follower.round(stopping), { atOnce: true }));
  }
  return {
    nearest,
    get size() {
      return matrix.size;
    },
    get bytes() {
      return matrix.bytes;
    },
    get made() {
      return items.made;
    },
    get refused() {
      return items.refused;
    },
    ping: async () => {
      if (embedder.failure) throw embedder.failure;
    },
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}
