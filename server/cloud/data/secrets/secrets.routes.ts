import { changingGet, route, routeGroup } from "../../../operation/route";
import { createSecret } from "./create-secret";
import { deleteSecret } from "./delete-secret";
import { getSecret } from "./get-secret";
import { listSecrets } from "./list-secrets";
import { putSecret } from "./put-secret";
import { revealSecret } from "./reveal-secret";

export const secretRoutes = routeGroup("Secrets", "Encrypted values with versions: store, refer to, reveal", [
  route("POST", "/v1/secrets", createSecret),
  route("GET", "/v1/secrets", listSecrets),
  route("PUT", "/v1/secrets/{name}", putSecret),
  route("GET", "/v1/secrets/{name}", getSecret),
  changingGet("/v1/secrets/{name}/value", revealSecret),
  route("DELETE", "/v1/secrets/{name}", deleteSecret),
]);
