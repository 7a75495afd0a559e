import { WORKSPACE_FOLDER } from "./workspace";

/** Where code-server listens, inside. */
export const EDITOR_PORT = 8443;

/** Ends at once when it is to stop, and collects what other processes leave behind. */
const WAIT = "while :; do sleep 86400 & wait $!; done";
/** svc alone reaches the port, so that it asks for no password. It is started again when it ends. */
const EDITOR = `if command -v code-server > /dev/null 2>&1; then
  (
    trap - TERM INT
    log=/dev/null
    [ -w /tmp ] && log=/tmp/code-server.log
    while :; do
      code-server --auth none --bind-addr 127.0.0.1:${EDITOR_PORT} --disable-telemetry --disable-update-check \\
        ${WORKSPACE_FOLDER} > $log 2>&1 < /dev/null
      sleep 1
    done
  ) &
fi`;

/** The first process of a workspace; `hasEditor`: browsers can reach an editor in it. */
export const workspaceProgram = ({ hasEditor }: { hasEditor: boolean }): string[] => [
  "/bin/sh",
  "-c",
  ["trap 'exit 0' TERM INT", `cd ${WORKSPACE_FOLDER}`, ...(hasEditor ? [EDITOR] : []), WAIT].join("\n"),
];

/** A program that runs in the folder of the workspace. */
export const inFolder = (command: readonly string[]): string[] => [
  "/bin/sh",
  "-c",
  'cd "$1" && shift && exec "$@"',
  "svc",
  WORKSPACE_FOLDER,
  ...command,
];
