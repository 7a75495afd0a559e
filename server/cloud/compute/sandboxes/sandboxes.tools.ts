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
  "Creates a sandbox and runs a command in it: the result has exit code, stdout and stderr, and the sandbox ends. Without `command` it runs for `timeout_seconds`, for svc_sandbox_exec and files.";
const notes = {
  image: "As in `docker pull`; it needs /bin/sh and sleep",
  name: "",
  command: "",
  cpu: "",
  memory_mb: "",
  env: "Values, or the names of secrets, which take the scope `secrets:reveal`",
  "env.*": "",
  timeout_seconds: "From its start until it is killed",
  registry_credentials: "",
  keep_alive: "With `command`: it runs on after it",
};

export const sandboxTools = [
  tool("svc_sandbox_create image*:s cpu:i memory_mb:i command:a env:o timeout_seconds:i", createSandbox, {
    description: ABOUT,
    notes,
  }),
  tool("svc_sandbox_list", listSandboxes, {
    description: "Lists the sandboxes of the project, newest first, at most 100, without the output of their commands.",
  }),
  extraTool("svc_sandbox_run", createSandbox, {
    without: ["mode", "project"],
    description:
      "Creates a sandbox and runs a command in it as svc_sandbox_create does, and takes more: keep_alive, a name, credentials of a registry.",
    notes,
  }),
  extraTool("svc_sandbox_exec", execSandbox, { renamed }),
  extraTool("svc_sandbox_read_file", readSandboxFile, { renamed }),
  extraTool("svc_sandbox_write_file", writeSandboxFile, { renamed }),
  extraTool("svc_sandbox_list_files", listSandboxFiles, { renamed }),
  extraTool("svc_sandbox_delete", deleteSandbox, { renamed }),
];
