// The thread of sidecar.mjs that runs the engine: all threads of the engine are its descendants and inherit its
// restrictions.
import { writeSync } from "node:fs";
import { workerData } from "node:worker_threads";
import { DataType, load, open } from "ffi-rs";
import { confineThread } from "./confine.mjs";

/** What the engine reads outside its folder: machine information and random numbers. */
const READABLE = [
  "/dev/urandom",
  "/proc/meminfo",
  "/proc/self/statm",
  "/proc/stat",
  "/sys/devices/system/cpu",
  "/sys/fs/cgroup",
];

const { library, args, dir, port } = workerData;

open({ library: "chdb", path: library });
// Grants alone do not block the function file(), INSERT … FROM INFILE and ATTACH TABLE … FROM.
const confined = confineThread({ dir, readable: READABLE, port });
// The first line of standard output; svc logs a warning about what is not restricted.
writeSync(1, `${confined}\n`);
// Returns only when the engine could not start.
load({
  library: "chdb",
  funcName: "chdb_query_cmdline",
  retType: DataType.External,
  paramsType: [DataType.I32, DataType.StringArray],
  paramsValue: [args.length, args],
});
