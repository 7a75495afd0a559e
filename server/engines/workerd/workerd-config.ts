/** Relative to the folder of a process. */
export const SOCKETS = { calls: "calls", source: "source", outbound: "outbound" } as const;

/** Of the dispatcher; workers have dates of their own. */
const COMPATIBILITY_DATE = "2026-11-01";

interface WorkerdConfig {
  /** The text of dispatcher.mjs. */
  dispatcher: string;
  heapMegabytesMax: number;
}

/**
 * A process that serves calls to workers on one Unix socket and reaches two others: where their code comes from, and the
 * proxy of their requests. It has no disk, and its own way to the network is closed. A heap of more than
 * `heapMegabytesMax` ends it.
 */
export const workerdConfig = ({ dispatcher, heapMegabytesMax }: WorkerdConfig): string => `
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "dispatcher", worker = .dispatcher),
    (name = "source", external = (address = "unix:${SOCKETS.source}", http = ())),
    (name = "outbound", external = (address = "unix:${SOCKETS.outbound}", http = (style = proxy))),
    (name = "internet", network = (allow = [], deny = ["0.0.0.0/0", "::/0"])),
  ],
  sockets = [(name = "calls", address = "unix:${SOCKETS.calls}", http = (), service = "dispatcher")],
  v8Flags = ["--max-heap-size=${heapMegabytesMax}"],
);

const dispatcher :Workerd.Worker = (
  modules = [(name = "dispatcher.mjs", esModule = ${JSON.stringify(dispatcher)})],
  compatibilityDate = "${COMPATIBILITY_DATE}",
  bindings = [
    (name = "LOADER", workerLoader = (id = "workers")),
    (name = "SOURCE", service = "source"),
    (name = "OUTBOUND", service = "outbound"),
  ],
);
`;
