import { listBuckets, listObjects } from "../../s3/objects";
import { byteAmount } from "../byte-amount";
import { EXIT } from "../errors";
import type { Io } from "../io";
import { printTable, tableOutput } from "../print-table";
import type { Arguments } from "../read-arguments";
import { readAddress } from "./address";
import { untilInterrupted } from "./finish";
import { openStore } from "./store";

/** `svc storage ls`: buckets, or the objects and prefixes under an address, page by page. */
export async function list(read: Arguments, io: Io): Promise<number> {
  const { address } = read.input as { address?: string };
  const { recursive, json } = read.flags;
  const at = address === undefined ? undefined : readAddress(address);
  const store = openStore(read, io);
  const { client, signal } = store;
  const print = (rows: readonly Record<string, unknown>[], columns: readonly string[]): void => {
    if (json) for (const row of rows) io.stdout.write(`${JSON.stringify(row)}\n`);
    else if (rows.length > 0) printTable(tableOutput(io), rows.map(shown), columns);
  };
  return untilInterrupted(store, io, async () => {
    if (!at) {
      const buckets = await listBuckets(client, signal);
      print(
        buckets.map(({ name, createdAt }) => ({ name, created_at: createdAt })),
        ["name", "created_at"],
      );
      return EXIT.ok;
    }
    let count = 0;
    const ask = { bucket: at.bucket, prefix: at.key, signal, ...(recursive ? {} : { delimiter: "/" }) };
    for await (const { objects, prefixes } of listObjects(client, ask)) {
      const rows = [
        ...prefixes.map((prefix) => ({ prefix })),
        ...objects.map(({ key, size, etag, lastModified }) => ({ key, size, etag, last_modified: lastModified })),
      ];
      count += rows.length;
      print(rows, ["last_modified", "size", "key"]);
    }
    if (count === 0 && !json) io.stderr.write("No objects.\n");
    return EXIT.ok;
  });
}

/** A row for people: sizes with a unit, and prefixes as keys. */
const shown = ({ prefix, size, ...row }: Record<string, unknown>): Record<string, unknown> =>
  prefix === undefined ? { ...row, size: typeof size === "number" ? byteAmount(size) : size } : { key: prefix };
