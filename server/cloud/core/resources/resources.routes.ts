import { route, routeGroup } from "../../../operation/route";
import { activateService } from "./activate-service";
import { createResource } from "./create-resource";
import { deactivateService } from "./deactivate-service";
import { deleteResource } from "./delete-resource";
import { getResource } from "./get-resource";
import { listActivations } from "./list-activations";
import { listResourceKinds } from "./list-resource-kinds";
import { listResources } from "./list-resources";
import { listServices } from "./list-services";
import { updateResource } from "./update-resource";

export const resourceRoutes = routeGroup(
  "Resources",
  "Resources of activated services, which svc provisions and keeps in their requested state",
  [
    route("POST", "/v1/resources", createResource),
    route("GET", "/v1/resources", listResources),
    route("GET", "/v1/resources/kinds", listResourceKinds),
    route("GET", "/v1/resources/{rid}", getResource),
    route("PATCH", "/v1/resources/{rid}", updateResource),
    route("DELETE", "/v1/resources/{rid}", deleteResource),
    route("GET", "/v1/services", listServices),
    route("POST", "/v1/activations", activateService),
    route("GET", "/v1/activations", listActivations),
    route("DELETE", "/v1/activations/{service}", deactivateService),
  ],
);
