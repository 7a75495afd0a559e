// The size check of `npm run verify`: the widget, which every visitor of a publisher's page downloads, must stay small.
import { readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { rootDir } from "./build.mjs";

const GZIP_BYTES_MAX = 5 * 1024;

const [file = path.join(rootDir, ".build/widget.js")] = process.argv.slice(2);
const bytes = gzipSync(readFileSync(file), { level: 9 }).length;
process.stderr.write(`svc: the widget is ${bytes} bytes gzip, of ${GZIP_BYTES_MAX} at most\n`);
if (bytes > GZIP_BYTES_MAX) process.exitCode = 1;
