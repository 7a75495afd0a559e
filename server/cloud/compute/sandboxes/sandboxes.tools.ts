import { extraTool, tool } from "../../../operation/tool";
import { createSandbox } from "./create-sandbox";
import { deleteSandbox } from "./delete-sandbox";
import { execSandbox } from "./exec-sandbox";
import { listSandboxFiles } from "./list-sandbox-files";
import { listSandboxes } from "./list-sandboxes";
import { readSandboxFile } from "./read-sandbox-file";
import { writeSandboxFile } from "./write-sandbox-file";

const renamed = { sandbox_id: "id" };
const ABOUT =
  "Runs code in a sandbox, isolated from everything else. With `command` the result has exit code, stdout and stderr, and the sandbox ends; without it the sandbox goes on for `timeout_seconds`, for svc_sandbox_exec and files. The image is an argument as in docker pull, and needs /bin/sh and sleep.";

export const sandboxTools = [
  tool("svc_sandbox_create image*:s cpu:i memory_mb:i command:a env:o timeout_seconds:i", createSandbox, {
    description: ABOUT,
  }),
  tool("svc_sandbox_list", listSandboxes, {
    description: "Lists the sandboxes of the project, newest first, at most 100, without the output of their commands.",
  }),
  extraTool("svc_sandbox_run", createSandbox, {
    without: ["mode", "project"],
    description: `${ABOUT} Takes what svc_sandbox_create does not: keep_alive, a name, credentials of a registry.`,
  }),
  extraTool("svc_sandbox_exec", execSandbox, { renamed }),
  extraTool("svc_sandbox_read_file", readSandboxFile, { renamed }),
  extraTool("svc_sandbox_write_file", writeSandboxFile, { renamed }),
  extraTool("svc_sandbox_list_files", listSandboxFiles, { renamed }),
  extraTool("svc_sandbox_delete", deleteSandbox, { renamed }),
];
