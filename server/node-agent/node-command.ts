import os from "node:os";
import { parseArgs } from "node:util";
import { pino } from "pino";
import { DEFAULT_REGION, REGIONS, type Region } from "../cloud/compute/pools/regions";
import { type HostAndPort, parseHostAndPort } from "../kernel/host-and-port";
import { superviseAgent } from "./supervise-agent";
import { runSupervisedAgent } from "./supervised-agent";

export const NODE_USAGE = `Usage: npm run svc -- node join --url <url> --token <token> --address <host:port> [--name <name>] [--region <region>]
       npm run svc -- node join

Runs pods of an svc on this machine until it is stopped; pods then keep running, and the next start finds them. The agent
is a process of its own, which is started again if it ends, or when npm run svc -- admin upgrade-fleet asks for it.
  --url <url>            where svc is, such as https://svc.example
  --token <token>        from npm run svc -- admin join-token, on the machine where svc is installed
  --address <host:port>  an address of this machine that svc reaches, and a free port, such as 10.0.0.5:7400
  --name <name>          of this node; default: the name of this machine
  --region <region>      where its GPUs are: ${REGIONS.join(", ")}; default: ${DEFAULT_REGION}
Without --token it runs as the node that it has joined as before. SVC_DATA_DIR holds its pods, images and keys.
`;

const OPTIONS = {
  url: { type: "string" },
  token: { type: "string" },
  address: { type: "string" },
  name: { type: "string" },
  region: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

export interface NodeCommandIo {
  rootDir: string;
  dataDir: string;
  logLevel: string;
  version: string;
  print: (line: string) => void;
}

/** Runs `svc node …`; returns the exit status. Throws an Error that says what to do. */
export async function runNodeCommand(argv: readonly string[], io: NodeCommandIo): Promise<number> {
  const { values, positionals } = parse(argv);
  if (values.help || positionals.length === 0) {
    io.print(NODE_USAGE);
    return values.help ? 0 : 1;
  }
  const log = pino({ level: io.logLevel, base: null });
  if (positionals.join(" ") === AGENT && process.send) {
    await runSupervisedAgent({ ...io, log });
    return 0;
  }
  if (positionals.join(" ") !== "join") throw new Error(`node ${positionals.join(" ")}: expected node join`);
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopping.abort());
  return superviseAgent({
    program: [process.argv[1] ?? "", "svc", "node", AGENT],
    joining: joiningOf(values),
    address: values.address === undefined ? undefined : addressOf(values.address),
    log,
    signal: stopping.signal,
  });
}

/** What the supervisor starts. */
const AGENT = "agent";

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
  } catch (cause) {
    throw new Error(`${cause instanceof Error ? cause.message : String(cause)} (see node --help)`, { cause });
  }
}

function joiningOf({ url, token, name = os.hostname().toLowerCase(), region }: ReturnType<typeof parse>["values"]) {
  if (token === undefined && url === undefined) return undefined;
  if (token === undefined) throw new Error("--token is missing: make one with npm run svc -- admin join-token");
  if (url === undefined) throw new Error("--url is missing: where svc is, such as https://svc.example");
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new Error("--url: expected a URL such as https://svc.example");
  return { url: new URL(url).origin, token, name, region: regionOf(region) };
}

function regionOf(text: string = DEFAULT_REGION): Region {
  const region = REGIONS.find((one) => one === text);
  if (!region) throw new Error(`--region: expected one of ${REGIONS.join(", ")}`);
  return region;
}

function addressOf(text: string): HostAndPort {
  const address = parseHostAndPort(text);
  if (!address || address.port === 0)
    throw new Error("--address: expected an address and a port, such as 10.0.0.5:7400");
  return address;
}
