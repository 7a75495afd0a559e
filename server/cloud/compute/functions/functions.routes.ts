import { route, routeGroup } from "../../../operation/route";
import { createFunction } from "./create-function";
import { createFunctionInvocation } from "./create-function-invocation";
import { deleteFunction } from "./delete-function";
import { deployFunction } from "./deploy-function";
import { getFunction } from "./get-function";
import { getFunctionInvocation } from "./get-function-invocation";
import { getFunctionVersion } from "./get-function-version";
import { invokeFunction } from "./invoke-function";
import { listFunctionInvocations } from "./list-function-invocations";
import { listFunctionVersions } from "./list-function-versions";
import { listFunctions } from "./list-functions";
import { restoreFunctionVersion } from "./restore-function-version";
import { updateFunction } from "./update-function";

export const functionRoutes = routeGroup(
  "Functions",
  "JavaScript that runs when it is called: create, deploy, invoke",
  [
    route("POST", "/v1/functions", createFunction),
    route("GET", "/v1/functions", listFunctions),
    route("GET", "/v1/functions/{id}", getFunction),
    route("PATCH", "/v1/functions/{id}", updateFunction),
    route("DELETE", "/v1/functions/{id}", deleteFunction),
    route("POST", "/v1/functions/{id}/invoke", invokeFunction),
    route("POST", "/v1/functions/{id}/versions", deployFunction),
    route("GET", "/v1/functions/{id}/versions", listFunctionVersions),
    route("GET", "/v1/functions/{id}/versions/{version}", getFunctionVersion),
    route("POST", "/v1/functions/{id}/restore", restoreFunctionVersion),
    route("POST", "/v1/functions/{id}/invocations", createFunctionInvocation),
    route("GET", "/v1/functions/{id}/invocations", listFunctionInvocations),
    route("GET", "/v1/functions/{id}/invocations/{invocation_id}", getFunctionInvocation),
  ],
);
