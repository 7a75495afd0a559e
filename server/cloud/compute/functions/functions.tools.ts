import { z } from "zod";
import { extraTool, tool } from "../../../operation/tool";
import { createFunction } from "./create-function";
import { createFunctionInvocation } from "./create-function-invocation";
import { deleteFunction } from "./delete-function";
import { deployFunction } from "./deploy-function";
import { getFunctionInvocation } from "./get-function-invocation";
import { invokeFunction } from "./invoke-function";
import { listFunctionInvocations } from "./list-function-invocations";
import { listFunctions } from "./list-functions";
import { restoreFunctionVersion } from "./restore-function-version";
import { updateFunction } from "./update-function";

const renamed = { function_id: "id" };
const notes = {
  function_id: "Its id or name",
  name: "1 to 80 characters of `A-Z a-z 0-9 . _ -`",
  runtime: "javascript (js) on workerd, node or python in a pod",
  handler: "The exported function that is called",
  backend: "Follows from `runtime`",
  gpu: "",
  env: "Found in `context.env`; names of secrets take the scope `secrets:reveal`",
  "env.*": "",
  timeout_ms: "Default 10,000",
  concurrency_max: "At once; default 20",
  schedule: "null ends it",
  "schedule.*.cron": "Such as `*/15 9-17 * * MON-FRI`",
  "schedule.*.timezone": "",
  "schedule.*.payload": "",
  retries_max: "Default 0",
};

export const functionTools = [
  tool("svc_functions_list", listFunctions),
  tool("svc_functions_create name*:s runtime:s handler:s backend:s gpu:s", createFunction, {
    description: `${createFunction.summary}. It returns its payload until svc_functions_deploy gives it code.`,
    notes,
  }),
  tool("svc_functions_invoke function_id*:s payload:o", invokeFunction, {
    renamed,
    description:
      "Calls a function and waits for its result. `status` is `failed` if the code throws, takes longer than `timeout_ms`, or uses too much memory. The invocation is kept for a day without its result.",
    fields: { payload: z.record(z.string(), z.unknown()).describe("What the function receives; default null") },
  }),
  extraTool("svc_functions_deploy", deployFunction, { renamed, notes }),
  extraTool("svc_functions_restore", restoreFunctionVersion, { renamed }),
  extraTool("svc_functions_update", updateFunction, {
    renamed,
    description: "Updates the settings of a function from its next invocation on. `env` replaces all variables.",
    notes,
  }),
  extraTool("svc_functions_delete", deleteFunction, { renamed }),
  extraTool("svc_functions_start", createFunctionInvocation, {
    renamed,
    description:
      "Calls a function without waiting. Returns at once; svc_functions_invocation has the result for a day. Invocations begin in order, as far as the function may run at once.",
  }),
  extraTool("svc_functions_invocations", listFunctionInvocations, { renamed }),
  extraTool("svc_functions_invocation", getFunctionInvocation, { renamed }),
];
