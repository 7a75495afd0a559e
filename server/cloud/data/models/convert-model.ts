import { untilAborted } from "../../../engines/objects/until-aborted";
import { ByteReader } from "./byte-reader";
import { type Coder, LocalCoder } from "./coder";
import { CoderThread } from "./coder-thread";
import type {
  ConversionProgress,
  ConversionRequest,
  ConversionResult,
  ModelSource,
  ModelTarget,
  StoredFile,
  StoredShard,
} from "./conversion";
import { invalidModel, sourceChanged, wrongChecksum, wrongSize } from "./model-errors";
import { INDEX_NAME, writeIndex } from "./model-index";
import { headerLengthOf, LENGTH_BYTES, parseHeader } from "./parse-header";
import { planShards, type Shard, type ShardPlan } from "./plan-shards";
import { ProgressReports, type ReportProgress } from "./progress-reports";
import { convertedSlices, skippedSlices } from "./slices";

export interface ConvertModel extends ReportProgress {
  source: ModelSource;
  target: ModelTarget;
  /** Ends the conversion at once; what is stored stays. */
  signal: AbortSignal;
  /** The built tensor-worker.ts; without it the calling thread converts and hashes. */
  workerFile?: string | undefined;
}

/**
 * Converts a safetensors model into shards below `target`, streaming in constant memory, and writes the index of
 * Hugging Face after all of them; an earlier index is removed before the first shard. With `progress` it continues
 * after the last shard that is stored. The source is read and hashed again up to there, because the state of a SHA-256
 * cannot be stored; a source that has changed meanwhile is `conflict` (reason `source_changed`). Other errors:
 * `unprocessable` (reasons `invalid_model`, `size_mismatch`, `checksum_mismatch`; then the shards are removed), those of
 * the source and of the target, and the reason of `signal`.
 */
export async function convertModel(ctx: ConvertModel, request: ConversionRequest): Promise<ConversionResult> {
  const start = performance.now();
  const { source, signal, workerFile } = ctx;
  signal.throwIfAborted();
  const { bytesTotal, sha256 } = request;
  if (bytesTotal !== undefined && bytesTotal !== source.size) {
    throw wrongSize({ expected: bytesTotal, found: source.size });
  }
  const reader = new ByteReader(untilAborted(source.read(0, source.size, signal), signal));
  const coder = workerFile === undefined ? new LocalCoder() : new CoderThread(workerFile);
  try {
    const { plan, tensors } = await readPlan({ source, reader, coder }, request);
    const run = new ConversionRun(ctx, { reader, coder, plan, sha256 });
    const { shards, index } = await run.convert(request.progress);
    return {
      files: [...shards.map(({ sourceSha256: _source, ...file }) => file), index],
      sourceSha256: shards.at(-1)?.sourceSha256 ?? "",
      sourceBytes: source.size,
      tensors,
      tensorBytes: plan.tensorBytes,
      seconds: (performance.now() - start) / 1000,
    };
  } finally {
    reader.close();
    await coder.close();
  }
}

async function readPlan(
  { source, reader, coder }: { source: ModelSource; reader: ByteReader; coder: Coder },
  request: ConversionRequest,
): Promise<{ plan: ShardPlan; tensors: number }> {
  if (source.size < LENGTH_BYTES) {
    throw invalidModel(`the file has ${source.size} bytes; expected a safetensors file, which has at least 8.`);
  }
  const first = await reader.take(LENGTH_BYTES);
  const length = headerLengthOf(first, source.size);
  const head = await reader.take(length);
  const header = parseHeader(head, source.size - LENGTH_BYTES - length);
  await coder.skip(first);
  await coder.skip(head);
  return { plan: planShards(header, request), tensors: header.tensors.length };
}

interface RunParts {
  reader: ByteReader;
  coder: Coder;
  plan: ShardPlan;
  /** Expected. */
  sha256: string | undefined;
}

class ConversionRun {
  readonly #ctx: ConvertModel;
  readonly #parts: RunParts;
  readonly #stored: StoredShard[] = [];
  /** Those of an earlier run. */
  #kept: readonly StoredShard[] = [];
  readonly #reports: ProgressReports;

  constructor(ctx: ConvertModel, parts: RunParts) {
    this.#ctx = ctx;
    this.#parts = parts;
    this.#reports = new ProgressReports(ctx, () => ({
      planSha256: parts.plan.sha256,
      bytesRead: parts.reader.position,
      bytesTotal: ctx.source.size,
      shards: [...this.#stored, ...this.#kept.slice(this.#stored.length)],
      shardsTotal: parts.plan.shards.length,
    }));
  }

  async convert(progress: ConversionProgress | undefined): Promise<{ shards: StoredShard[]; index: StoredFile }> {
    const { target, signal } = this.#ctx;
    const { shards } = this.#parts.plan;
    if (progress?.planSha256 === this.#parts.plan.sha256) this.#kept = await this.#findKept(progress.shards);
    await target.remove([INDEX_NAME]);
    for (const [i, shard] of shards.entries()) {
      const before = this.#kept[i];
      if (before) await this.#pass(shard, before);
      else await this.#write(shard);
    }
    const index = await writeIndex(this.#parts.plan, target, signal);
    return { shards: this.#stored, index };
  }

  /** The first shards that an earlier run has stored, as far as they are still there. */
  async #findKept(before: readonly StoredShard[]): Promise<StoredShard[]> {
    const kept: StoredShard[] = [];
    for (const shard of before) {
      if (!(await this.#ctx.target.exists(shard.name, shard.bytes))) break;
      kept.push(shard);
    }
    return kept;
  }

  /** Reads and hashes what an earlier run has converted. */
  async #pass(shard: Shard, before: StoredShard): Promise<void> {
    const { reader, coder } = this.#parts;
    for await (const _slice of skippedSlices({ reader, coder }, shard.runs)) await this.#reports.report();
    const { source } = await coder.endShard();
    await this.#verify(shard, source);
    if (source !== before.sourceSha256) throw sourceChanged();
    this.#stored.push(before);
  }

  async #write(shard: Shard): Promise<void> {
    const { name, size } = shard;
    const digests = { shard: "", source: "" };
    const { etag } = await this.#ctx.target.put(name, size, this.#bodyOf(shard, digests), this.#ctx.signal);
    this.#stored.push({ name, bytes: size, sha256: digests.shard, etag, sourceSha256: digests.source });
    await this.#reports.report();
  }

  /** A checksum that is wrong ends the body of the last shard with an error, so that it is not stored. */
  async *#bodyOf(shard: Shard, digests: { shard: string; source: string }): AsyncGenerator<Uint8Array> {
    const { reader, coder } = this.#parts;
    await coder.add(shard.head);
    yield shard.head;
    for await (const bytes of convertedSlices({ reader, coder }, shard.runs)) {
      await this.#reports.report();
      yield bytes;
    }
    Object.assign(digests, await coder.endShard());
    await this.#verify(shard, digests.source);
  }

  async #verify(shard: Shard, found: string): Promise<void> {
    const { plan, sha256 } = this.#parts;
    const expected = sha256?.toLowerCase();
    if (shard !== plan.shards.at(-1) || expected === undefined || expected === found) return;
    await this.#ctx.target.remove(plan.shards.map(({ name }) => name));
    throw wrongChecksum({ expected, found });
  }
}
