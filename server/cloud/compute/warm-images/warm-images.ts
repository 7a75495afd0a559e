import type { Pool } from "pg";
import type { Logger } from "pino";
import type { PrismaClient, WarmImage } from "../../../engines/postgres/generated/client";
import { type PrefetchOptions, type Runtime, RuntimeError } from "../../../engines/runtime/runtime";
import type { Clock } from "../../../kernel/clock";
import { chooseWarmImages, demandByImage, type WarmChoice } from "./choose-warm-images";
import { imageDemand } from "./image-demand.sql";

export interface WarmImagesCtx {
  db: PrismaClient;
  sql: Pick<Pool, "query">;
  clock: Clock;
  log: Pick<Logger, "warn">;
  nodeId: string;
}

type Pulling = Pick<Runtime, "prefetch" | "imageCacheBytes">;

const LOOK_MS = 60_000;
/** With more starts than this under way, the node is left to them. */
const STARTS_MAX = 2;
/** Of the cache, for all images that are kept ready and for one. */
const WARM_SHARE = 0.5;
const IMAGE_SHARE = 0.25;
const RETRY_MS = 60_000;
const RETRY_MS_MAX = 6 * 3600 * 1000;
const FAILURE_LENGTH_MAX = 500;

/** Keeps the images in demand ready on one node, one pull at a time, while few pods start there. */
export class WarmImages {
  #lookedAt = performance.now();
  #round: { done: Promise<void>; interruption: AbortController } | undefined;
  #isStopping = false;

  constructor(readonly ctx: WarmImagesCtx) {}

  /** Begins what is due in the background, or interrupts it for pods that start. */
  look(runtime: Pulling, { starts }: { starts: number }): void {
    if (starts > STARTS_MAX) this.#round?.interruption.abort();
    const isDue = performance.now() - this.#lookedAt >= LOOK_MS;
    if (this.#round || !isDue || starts > STARTS_MAX || this.#isStopping) return;
    void this.refresh(runtime).catch((err: unknown) => {
      this.ctx.log.warn({ err }, "images could not be kept ready, which is repeated");
    });
  }

  /** Pulls what is in demand and not there; resolves when it is there, has failed, or was interrupted. */
  async refresh(runtime: Pulling): Promise<void> {
    const interruption = new AbortController();
    const done = this.#refresh(runtime, interruption.signal).finally(() => {
      this.#lookedAt = performance.now();
      this.#round = undefined;
    });
    this.#round = { done, interruption };
    await done;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#round?.interruption.abort();
    await this.#round?.done.catch(() => undefined);
  }

  async #refresh(runtime: Pulling, signal: AbortSignal): Promise<void> {
    const { db, sql, clock, nodeId } = this.ctx;
    const cacheBytes = runtime.imageCacheBytes;
    if (cacheBytes === undefined) return;
    const demands = await imageDemand(sql, clock.now());
    const rows = await db.warmImage.findMany({ where: { nodeId } });
    const [bytesMax, imageBytesMax] = [cacheBytes * WARM_SHARE, Math.floor(cacheBytes * IMAGE_SHARE)];
    const chosen = chooseWarmImages(demands, { bytesMax, imageBytesMax, known: knownOf(rows) });
    if (rows.length > 0)
      await this.#forget(new Set(demandByImage(demands).keys()), new Set(chosen.map(({ image }) => image)));
    const rowOf = new Map(rows.map((row) => [row.image, row]));
    for (const choice of chosen) {
      const row = rowOf.get(choice.image);
      if (row?.retryAt && row.retryAt > clock.now()) continue;
      const options = { bytesMax: imageBytesMax, signal };
      if (!(await this.#prefetch(runtime, { choice, failures: row?.failures ?? 0, ...options }))) return;
    }
  }

  /** Sizes are remembered as long as there is demand, so that an image that does not fit is not pulled again to see it. */
  async #forget(inDemand: ReadonlySet<string>, chosen: ReadonlySet<string>): Promise<void> {
    const { db, nodeId } = this.ctx;
    await db.warmImage.deleteMany({ where: { nodeId, image: { notIn: [...inDemand] } } });
    const where = { nodeId, image: { notIn: [...chosen] }, readyAt: { not: null } };
    await db.warmImage.updateMany({ where, data: { readyAt: null } });
  }

  /** Returns false when it was interrupted. */
  async #prefetch(
    runtime: Pulling,
    { choice, failures, ...options }: { choice: WarmChoice; failures: number } & PrefetchOptions,
  ): Promise<boolean> {
    try {
      const { bytes } = await runtime.prefetch(choice.image, options);
      const ready = { bytes: BigInt(bytes), readyAt: this.ctx.clock.now() };
      await this.#save(choice, { ...ready, failures: 0, failure: null, retryAt: null });
      return true;
    } catch (cause) {
      if (options.signal.aborted) return false;
      // The node cannot be reached, or svc's own engines fail: that says nothing about the image.
      if (!(cause instanceof RuntimeError)) throw cause;
      if (cause.reason === "terminated") return false;
      const retryMs = Math.min(RETRY_MS_MAX, RETRY_MS * 2 ** failures);
      const retryAt = new Date(this.ctx.clock.now().getTime() + retryMs);
      const failure = cause.message.slice(0, FAILURE_LENGTH_MAX);
      await this.#save(choice, { readyAt: null, failures: failures + 1, failure, retryAt });
      return true;
    }
  }

  async #save({ image, demand }: WarmChoice, change: Partial<Omit<WarmImage, "nodeId" | "image">>): Promise<void> {
    const { db, nodeId } = this.ctx;
    await db.warmImage.upsert({
      where: { nodeId_image: { nodeId, image } },
      create: { nodeId, image, demand, ...change },
      update: { demand, ...change },
    });
  }
}

const knownOf = (rows: readonly WarmImage[]) =>
  new Map(
    rows.map(({ image, bytes, readyAt }) => [
      image,
      { bytes: bytes === null ? null : Number(bytes), isReady: readyAt !== null },
    ]),
  );
