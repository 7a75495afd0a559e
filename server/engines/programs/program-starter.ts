import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { Socket } from "node:net";
import { createInterface } from "node:readline";
import { FairSemaphore } from "../../kernel/fair-semaphore";
import { type Descriptor, Program } from "./program";
import { PROGRAM_ENVIRONMENT, programFields } from "./program-fields";

export interface StartProgram {
  /** A path, or a name that is looked for in PATH of `env`. */
  program: string;
  args: readonly string[];
  /** Default: PROGRAM_ENVIRONMENT. */
  env?: Readonly<Record<string, string>>;
  /** Default: the root. */
  cwd?: string;
  /** Of 0, 1, 2 and so on; it gets no others. */
  descriptors: readonly [Descriptor, Descriptor, Descriptor, ...Descriptor[]];
}

const DESCRIPTORS_MAX = 16;
/** Their connections are fewer than any kernel lets wait. */
const STARTING_MAX = 16;

/** Of an abstract socket, after a NUL: versions of Node complete shorter names differently. */
const NAME_CHARACTERS = 107;

/** Another one is to start the program, which this one has not received. */
export class StarterUnreachable extends Error {
  constructor(options?: ErrorOptions) {
    super("The process that starts programs cannot be reached.", options);
  }
}

/** A helper process that starts programs: this process takes long to fork, because it has much memory. */
export class ProgramStarter {
  readonly #helper: ChildProcess;
  readonly #socket: string;
  readonly #requests: Socket;
  readonly #reports: Socket;
  readonly #programs = new Map<string, Program>();
  /** Those whose end keeps this process from ending. */
  readonly #held = new Set<Program>();
  /** One key alone gets half of them. */
  readonly #places = new FairSemaphore(2 * STARTING_MAX);
  #hasEnded = false;

  private constructor(helper: ChildProcess, socket: string) {
    this.#helper = helper;
    this.#socket = socket;
    // Node makes them of sockets.
    this.#requests = helper.stdin as Socket;
    this.#reports = helper.stdout as Socket;
  }

  /** `script` is the path of start-programs.pl. */
  static async open(script: string): Promise<ProgramStarter> {
    const name = `svc-programs-${randomUUID()}`.padEnd(NAME_CHARACTERS, "-");
    const helper = spawn("perl", [script, name], {
      stdio: ["pipe", "pipe", "inherit"],
      // A signal to the group of svc does not interrupt it.
      detached: true,
      env: PROGRAM_ENVIRONMENT as NodeJS.ProcessEnv,
      cwd: "/",
    });
    const starter = new ProgramStarter(helper, `\0${name}`);
    await starter.#listening();
    return starter;
  }

  /** Whether it starts no more programs. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Resolves when the program has a process. */
  async start({ program, args, env = PROGRAM_ENVIRONMENT, cwd = "/", descriptors }: StartProgram): Promise<Program> {
    const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const fields: [string, string][] = [
      ["program", program],
      ...args.map((arg): [string, string] => ["arg", arg]),
      ...variables.map((variable): [string, string] => ["env", variable]),
      ["cwd", cwd],
      ...descriptors.map((kind): [string, string] => ["descriptor", descriptorField(kind)]),
    ];
    if (fields.some(([, value]) => value.includes("\0"))) throw new Error(`What ${program} gets contains a NUL.`);
    if (descriptors.length > DESCRIPTORS_MAX)
      throw new Error(`${program} gets more than ${DESCRIPTORS_MAX} descriptors.`);
    return this.#places.run("", () => this.#start(descriptors, fields));
  }

  /** Its programs go on. */
  #close(): void {
    this.#hasEnded = true;
    this.#requests.destroy();
  }

  async #start(descriptors: readonly Descriptor[], fields: readonly [string, string][]): Promise<Program> {
    if (this.#hasEnded) throw new StarterUnreachable();
    const program = new Program(descriptors, {
      socket: this.#socket,
      kill: ({ id }, signal) => {
        const fields = { id, kill: signal };
        if (this.#programs.has(id)) this.#request(Object.entries(fields));
      },
      unref: (one) => this.#release(one),
    });
    this.#programs.set(program.id, program);
    this.#held.add(program);
    this.#keepRunning();
    try {
      await program.connected();
    } catch (cause) {
      // Connections that were made wait at it.
      this.#close();
      throw new StarterUnreachable({ cause });
    }
    this.#request([["id", program.id], ...fields]);
    await program.started;
    return program;
  }

  async #listening(): Promise<void> {
    let failure: Error | undefined;
    this.#helper.once("error", (cause) => {
      failure = cause;
    });
    for (const stream of [this.#requests, this.#reports]) stream.on("error", () => {});
    const lines = createInterface({ input: this.#reports });
    const ended = new Promise<[]>((resolve) => this.#reports.once("close", () => resolve([])));
    void ended.then(() => this.#end());
    const [first] = await Promise.race([once(lines, "line"), ended]);
    if (first !== "listening") throw new Error(`No programs can be started: ${failure?.message ?? "perl has ended"}.`);
    lines.on("line", (line) => this.#take(line));
    this.#helper.unref();
    this.#requests.unref();
    this.#keepRunning();
  }

  #take(line: string): void {
    const [, report = "", id = "", text = ""] = /^(\S+) (\S+) (.*)$/.exec(line) ?? [];
    const program = this.#programs.get(id);
    if (!program?.take(report, text)) return;
    this.#programs.delete(id);
    this.#release(program);
  }

  #end(): void {
    this.#close();
    for (const program of this.#programs.values()) void program.lose(new Error(LOST));
    this.#programs.clear();
  }

  #request(fields: readonly (readonly [string, string])[]): void {
    this.#requests.write(`${programFields(fields)}\0`);
  }

  #release(program: Program): void {
    this.#held.delete(program);
    this.#keepRunning();
  }

  /** This process does not end while it waits for a report. */
  #keepRunning(): void {
    if (this.#held.size > 0) this.#reports.ref();
    else this.#reports.unref();
  }
}

function descriptorField(kind: Descriptor): string {
  if (kind === "none") return kind;
  if (kind === "input" || kind === "output") return "stream";
  return "read" in kind ? `read=${kind.read}` : `append=${kind.append}`;
}

const LOST = "The process that starts programs has ended.";
