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

export const functionTools = [
  tool("svc_functions_list", listFunctions),
  tool("svc_functions_create name*:s runtime:s handler:s backend:s gpu:s", createFunction, {
    description: `${createFunction.summary}. It returns its payload until svc_functions_deploy gives it code. handler is the name of the export that is called, by default "default"; runtime is "javascript" on the backend "workerd" (the default), or "node" or "python" on "pods"; gpu is "none".`,
  }),
  tool("svc_functions_invoke function_id*:s payload:o", invokeFunction, {
    renamed,
    fields: { payload: z.record(z.string(), z.unknown()).describe("What the function receives; default null") },
  }),
  extraTool("svc_functions_deploy", deployFunction, { renamed }),
  extraTool("svc_functions_restore", restoreFunctionVersion, { renamed }),
  extraTool("svc_functions_update", updateFunction, { renamed }),
  extraTool("svc_functions_delete", deleteFunction, { renamed }),
  extraTool("svc_functions_start", createFunctionInvocation, { renamed }),
  extraTool("svc_functions_invocations", listFunctionInvocations, { renamed }),
  extraTool("svc_functions_invocation", getFunctionInvocation, { renamed }),
];
