import { writeSync } from "node:fs";
import { Wal } from "./wal";

/** Appends until it is killed, and prints each id after its line was acknowledged. Arguments: folder, run. */
const [dir = "", run = ""] = process.argv.slice(2);
const wal = await Wal.open(dir, { segmentBytesMax: 200_000 });
let next = 0;
await Promise.all(
  Array.from({ length: 40 }, async () => {
    for (;;) {
      const id = `${run}-${next++}`;
      await wal.append(JSON.stringify({ id, pad: "x".repeat(180) }));
      writeSync(1, `${id}\n`);
    }
  }),
);
