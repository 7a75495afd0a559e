import { DocsCode } from "../docs-code";
import { Code, Definitions, DocsLink, DocsSection } from "../docs-text";

const COMMAND_LINE = `svc pods shell pod_…
svc pods shell pod_… -- /bin/sh -c 'df -h; exit 3'   # ends with status 3`;

const CONNECT = `import { WebSocket } from "ws";

const { columns = 80, rows = 24 } = process.stdout;
const url = new URL(\`/v1/pods/\${process.argv[2]}/terminal?columns=\${columns}&rows=\${rows}\`, process.env.SVC_BASE_URL);
const headers = { Authorization: \`Bearer \${process.env.SVC_API_KEY}\` };
const socket = new WebSocket(url.href.replace(/^http/, "ws"), "terminal.svc.v1", { headers });
socket.on("open", () => {
  process.stdin.setRawMode?.(true);
  process.stdin.on("data", (bytes) => socket.send(bytes));
});
socket.on("message", (bytes, isBinary) => {
  if (isBinary) process.stdout.write(bytes);
  else process.exitCode = JSON.parse(bytes).code ?? 1;
});
socket.on("close", () => process.exit());`;

const MESSAGES = [
  ["Binary, to svc", "What is typed, at most 64 KiB in a message"],
  ["Text, to svc", '{"type":"resize","columns":120,"rows":40}, with 1 to 1000 columns and rows'],
  ["Binary, from svc", "Bytes that the terminal shows"],
  ["Text, from svc", '{"type":"exit","code":0,"signal":null} at the end, or {"type":"error","error":{…}}'],
] as const;

export const Terminals = () => (
  <DocsSection id="terminals" title="Terminals">
    <p>
      <Code>GET …/terminal</Code> is a WebSocket with the subprotocol <Code>terminal.svc.v1</Code> and the scope{" "}
      <Code>pods:write</Code>: a terminal in a pod that is ready. <DocsLink href="/cloud/pods">The dashboard</DocsLink>{" "}
      shows one on the page of a pod. <Code>columns</Code> and <Code>rows</Code> are its size, 80 and 24 by default;{" "}
      <Code>command</Code>, repeated for each argument, replaces the shell, which is bash if the image has{" "}
      <Code>/bin/bash</Code>, and otherwise <Code>/bin/sh</Code>.
    </p>
    <DocsCode label="Shell" code={COMMAND_LINE} language="bash" />
    <p>
      <Code>svc pods shell</Code> connects the terminal in which it runs, and restores it at the end. Every key goes to
      the pod, Ctrl-C too. Its exit status is that of the program, or 128 and the number of the signal that ended it.
      Without a terminal, it types what it reads from standard input, and then Ctrl-D. A program of your own needs a
      WebSocket:
    </p>
    <DocsCode label="terminal.mjs" code={CONNECT} language="javascript" />
    <Definitions label="Messages of a terminal" rows={MESSAGES} />
    <p>
      The key is sent in <Code>Authorization</Code>. The cookie of the dashboard is accepted only from pages of svc. A
      request that is refused has an ordinary response with an error; later errors close the connection with 1008. The
      connection is closed with 1000 when the program has ended, with 1001 when svc stops, and when the key or the
      session has ended, within 30 seconds. Every 30 seconds svc sends a ping, and disconnects a client that has not
      answered it by the next one. A terminal without input and output is closed after an hour.
    </p>
    <p>
      When the connection ends, the program and its process group receive SIGHUP; a program that has not ended after 2
      seconds is ended with all that it has started. When it has, a background program that ignores SIGHUP runs on, as
      after the end of an SSH session. A program waits while its output is not read. Values of secrets are replaced as
      in the output of the pod, unless a program prints them with pauses of more than 50 milliseconds within them.
      Opening a terminal is in the audit log as <Code>pod.executed</Code>.
    </p>
  </DocsSection>
);
