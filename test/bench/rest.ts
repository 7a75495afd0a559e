import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { countProcesses, figuresOf, PARTS, type Part, type PartFigures } from "./process-figures";
import { SCENARIOS, type Scenario } from "./rest-scenarios";
import { installStatementCounts, type StartedForRest, startForRest } from "./rest-server";

/** After svc is ready, and after the rows of a scenario are there. */
const SETTLE_MS = 30_000;
const STATEMENTS_SHOWN = 15;
const TEXT_CHARS_MAX = 150;
const AIMS = {
  statements: { alone: 1, filled: 2 },
  cpuPercent: 1,
  memoryMb: { Node: 400, ClickHouse: 300 } as Partial<Record<Part, number>>,
};

type Print = (line: string) => void;

interface Statement {
  text: string;
  perSecond: number;
}

/**
 * What one svc, started as by `npm start`, uses while nobody asks anything of it. SVC_BENCH_REST_SECONDS: the length of
 * each window (default 60). SVC_BENCH_REST: names of scenarios, with commas (default all).
 */
export async function run(print: Print): Promise<void> {
  const seconds = Number(process.env.SVC_BENCH_REST_SECONDS ?? 60);
  const chosen = process.env.SVC_BENCH_REST?.split(",");
  print(
    `${seconds} s each, ${SETTLE_MS / 1000} s after the start and its rows, ${os.cpus().length} cores, Node ${process.version}`,
  );
  print(
    "Statements as pg_stat_statements counts them; memory at the end of the window, of PostgreSQL its proportional set size.\n",
  );
  const measured: { name: string; statements: Statement[] }[] = [];
  print(
    `| svc with | statements/s (aim) | CPU ${PARTS.join(" + ")} = all, % of a core (aim) | MB (aim) | wake-ups/s |`,
  );
  print("|---|---|---|---|---|");
  for (const scenario of SCENARIOS) {
    if (chosen && !chosen.includes(scenario.name)) continue;
    const outcome = await measure(scenario, seconds);
    if (typeof outcome === "string") {
      print(`| ${scenario.label} | not measured: ${outcome} | | | |`);
      continue;
    }
    measured.push({ name: scenario.label, statements: outcome.statements });
    print(row(scenario, outcome));
  }
  for (const { name, statements } of measured) printStatements(print, name, statements);
}

interface Outcome {
  statements: Statement[];
  figures: Record<Part, PartFigures>;
}

/** A sentence: the scenario cannot be made here. */
async function measure({ prepare, env }: Scenario, seconds: number): Promise<Outcome | string> {
  const dir = await mkdtemp(path.join(os.tmpdir(), "svc-bench-rest-"));
  let svc: StartedForRest | undefined;
  try {
    svc = await startForRest(dir, env);
    await installStatementCounts(svc.sql);
    await svc.stop();
    svc = await startForRest(dir, env);
    const prepared = await prepare(svc);
    if (typeof prepared === "string") return prepared;
    await sleep(SETTLE_MS);
    const outcome = await window(svc, seconds);
    await prepared?.();
    return outcome;
  } finally {
    await svc?.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

async function window({ pid, sql }: StartedForRest, seconds: number): Promise<Outcome> {
  await sql.query("SELECT pg_stat_statements_reset()");
  const startedAt = performance.now();
  const before = countProcesses(pid);
  await sleep(seconds * 1000);
  const after = countProcesses(pid);
  const took = (performance.now() - startedAt) / 1000;
  return { figures: figuresOf(before, after, took), statements: await statementsOf(sql, took) };
}

/** The most frequent first; those of the bench are left out. */
async function statementsOf(sql: Client, seconds: number): Promise<Statement[]> {
  const { rows } = await sql.query<{ query: string; calls: number }>(
    `SELECT query, sum(calls)::float8 AS calls FROM pg_stat_statements
     WHERE query NOT LIKE '%pg_stat_statements%' GROUP BY query ORDER BY calls DESC`,
  );
  return rows.map(({ query, calls }) => ({ text: query.replace(/\s+/g, " ").trim(), perSecond: calls / seconds }));
}

function row({ label, name }: Scenario, { figures, statements }: Outcome): string {
  const total = statements.reduce((sum, { perSecond }) => sum + perSecond, 0);
  const cpu = PARTS.map((part) => figures[part].cpuPercent);
  const all = cpu.reduce((sum, percent) => sum + percent, 0);
  const memory = PARTS.map((part) => {
    const aim = AIMS.memoryMb[part];
    return `${part} ${figures[part].memoryMb.toFixed(0)}${aim === undefined ? "" : ` (≤ ${aim})`}`;
  });
  const wakeUps = PARTS.map((part) => `${part} ${figures[part].wakeUpsPerSecond.toFixed(0)}`);
  const aim = name === "nothing" ? AIMS.statements.alone : AIMS.statements.filled;
  const cpuText = `${cpu.map((percent) => percent.toFixed(2)).join(" + ")} = ${all.toFixed(2)} (≤ ${AIMS.cpuPercent})`;
  return `| ${label} | ${total.toFixed(2)} (< ${aim}) | ${cpuText} | ${memory.join(", ")} | ${wakeUps.join(", ")} |`;
}

function printStatements(print: Print, name: string, statements: readonly Statement[]): void {
  print(`\n| statements/s | svc with ${name}: the ${STATEMENTS_SHOWN} most frequent of ${statements.length} |`);
  print("|---|---|");
  for (const { text, perSecond } of statements.slice(0, STATEMENTS_SHOWN))
    print(`| ${perSecond.toFixed(2)} | ${text.slice(0, TEXT_CHARS_MAX).replaceAll("|", "\\|")} |`);
}
