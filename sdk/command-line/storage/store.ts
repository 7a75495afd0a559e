import type { Operation } from "../../operation";
import { S3Client } from "../../s3/s3-client";
import type { S3Access } from "../../s3/sign-request";
import { sleep } from "../../sleep";
import { connect } from "../connect";
import type { Io } from "../io";
import type { Arguments } from "../read-arguments";
import { Slots } from "./slots";

const CREDENTIALS: Operation = {
  noun: "storageCredentials",
  verb: "create",
  method: "POST",
  path: "/v1/storage/credentials",
  credential: "platform",
  body: true,
};

interface Credentials {
  access_key_id: string;
  secret_access_key: string;
  endpoint: string;
  region: string;
  expires_at: string | null;
}

/** How many parts, or small files, are sent at a time. */
const PARALLEL = 4;

/** The objects of the account, and what ends their transfers. */
export interface Store {
  client: S3Client;
  /** Limits the parts and small files in memory. */
  slots: Slots;
  parallel: number;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

/** The store of the key in use; S3 credentials are derived from it when they are needed, and kept only in memory. */
export function openStore({ flags }: Arguments, io: Io): Store {
  const call = connect("platform", flags["base-url"] as string | undefined, io);
  const signal = io.interruption?.().stop ?? new AbortController().signal;
  const access = async (): Promise<S3Access> => {
    const made = (await call(CREDENTIALS, {}, { signal })) as Credentials;
    return {
      endpoint: made.endpoint,
      region: made.region,
      accessKeyId: made.access_key_id,
      secretAccessKey: made.secret_access_key,
      expiresAt: made.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(made.expires_at),
    };
  };
  const parallel = (flags.parallel as number | undefined) ?? PARALLEL;
  const client = new S3Client({
    access,
    fetch: io.fetch ?? globalThis.fetch.bind(globalThis),
    today: Date.now,
    now: () => performance.now(),
    random: Math.random,
    sleep,
    ...io.timing,
    onRetry: ({ code }, pauseMs) => {
      if (!flags.quiet && !io.stderr.isTTY)
        io.stderr.write(`svc: ${code}; retrying in ${(pauseMs / 1000).toFixed(1)} s\n`);
    },
  });
  return { client, slots: new Slots(parallel), parallel, signal };
}
