import { WebSocket } from "ws";
import { type Attack, type AttackTools, FOREVER, runningPod } from "./noisy-attack";

const SLOW_PODS = 40;
const SILENT_PROGRAMS = 8;
const DISK_MIB_MAX = 768;
const LEFT_AFTER_MS = 1000;
const READERS = 4;
const PULLS = 2;
const POLL_MS = 500;
const GREEDY_PODS = 3;

/** The number of the system call inotify_init1. */
const INOTIFY_INIT1 = process.arch === "arm64" ? 26 : 294;

/** inotify instances, pipes with their buffers and processes, each bounded, which are kept. */
const GREEDY = `perl -e '
  my @kept;
  for (1..400) { my $fd = syscall(${INOTIFY_INIT1}, 0); last if $fd < 0; push @kept, $fd; }
  for (1..400) { pipe(my $r, my $w) or last; fcntl($w, 1031, 1048576); push @kept, $r, $w; }
  for (1..200) { my $pid = fork(); last unless defined $pid; if ($pid == 0) { sleep 600; exit } }
  $SIG{TERM} = sub { exit };
  sleep 600;'`;

/** The hostile tenants that run pods. */
export const POD_ATTACKS: readonly Attack[] = [
  { id: "2", label: "programs in a pod that end and leave their output open", run: silentPrograms },
  { id: "3", label: `${SLOW_PODS} pods whose registry sends a byte every 20 s`, run: slowPods },
  { id: "4", label: `a pod that writes ${DISK_MIB_MAX} MiB of zeros to its disk`, run: fullDisk },
  { id: "5", label: "output without end, left or not read by its reader", run: endlessOutput },
  { id: "7", label: "images that claim the layers of another registry", run: claimedLayers },
  { id: "10", label: `${GREEDY_PODS} pods that keep inotify instances, pipes and processes`, run: greedyPods },
].map((attack) => ({ ...attack, needsPods: true }));

async function silentPrograms(tools: AttackTools): Promise<void> {
  const { client } = tools;
  const id = await runningPod(tools, FOREVER);
  if (id === undefined) return;
  const command = ["/bin/sh", "-c", "setsid sleep 600 & exit 0"];
  await client.loop(SILENT_PROGRAMS, () => client.call(`/v1/pods/${id}/exec`, { body: { command } }));
}

async function slowPods({ client, images }: AttackTools): Promise<void> {
  for (let n = 0; n < SLOW_PODS && !client.signal.aborted; n++)
    await client.call("/v1/pods", { body: { image: images?.slow, memory_mb: 64 } });
}

async function fullDisk(tools: AttackTools): Promise<void> {
  await runningPod(tools, `dd if=/dev/zero of=/zeros bs=1048576 count=${DISK_MIB_MAX}; ${FOREVER}`);
}

async function endlessOutput(tools: AttackTools): Promise<void> {
  const { client } = tools;
  const id = await runningPod(tools, `cat /dev/zero & ${FOREVER}`);
  if (id === undefined) return;
  const sockets = Array.from({ length: READERS }, () => unreadTerminal(tools, id));
  await client.loop(READERS, () =>
    client.call(`/v1/pods/${id}/exec`, { body: { command: ["cat", "/dev/zero"] }, leavesAfterMs: LEFT_AFTER_MS }),
  );
  for (const socket of sockets) socket.terminate();
}

/** A terminal with output without end, whose client reads nothing. */
function unreadTerminal({ client }: AttackTools, id: string): WebSocket {
  const url = `${client.url.replace(/^http/, "ws")}/v1/pods/${id}/terminal?command=cat&command=/dev/zero`;
  const socket = new WebSocket(url, "terminal.svc.v1", { headers: client.identity });
  socket.on("open", () => {
    client.count("terminal opened");
    socket.pause();
  });
  socket.on("close", (code) => client.count(`terminal closed ${code}`));
  socket.on("error", () => client.count("terminal refused"));
  return socket;
}

async function claimedLayers({ client, images }: AttackTools): Promise<void> {
  await client.loop(PULLS, async () => {
    const { id } = (await client.call("/v1/pods", { body: { image: images?.claimed, memory_mb: 64 } })).body;
    let status = id ? "pending" : "refused";
    while (status === "pending" && !client.signal.aborted) {
      await client.wait(POLL_MS);
      status = (await client.call(`/v1/pods/${id}`)).body.status ?? status;
    }
    client.count(`pod ${status}`);
    if (id) await client.call(`/v1/pods/${id}`, { method: "DELETE" });
  });
}

async function greedyPods(tools: AttackTools): Promise<void> {
  await Promise.all(Array.from({ length: GREEDY_PODS }, () => runningPod(tools, GREEDY)));
}
