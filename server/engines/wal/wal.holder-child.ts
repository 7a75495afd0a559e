import { writeSync } from "node:fs";
import { openWal } from "./open-volumes";

/** Opens a volume, appends some lines, prints the volume's folder and holds it until it is killed. Arguments: folder, lines. */
const [walRoot = "", lines = "0"] = process.argv.slice(2);
const { own } = await openWal(walRoot);
for (let i = 0; i < Number(lines); i++) await own.append(`line ${i}`);
writeSync(1, `${own.dir}\n`);
setInterval(() => {}, 60_000);
