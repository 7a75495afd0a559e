#!/usr/bin/env node
import { main } from "./main";
import { processIo } from "./process-io";

// The reader of a pipe may close it early, as `head` does.
process.stdout.on("error", (failure: NodeJS.ErrnoException) => process.exit(failure.code === "EPIPE" ? 0 : 1));
process.exitCode = await main(process.argv.slice(2), processIo());
