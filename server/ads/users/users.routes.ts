import { route, routeGroup } from "../../operation/route";
import { eraseUser } from "./erase-user";

export const userRoutes = routeGroup("Users", "Stored data about a publisher's users", [
  route("DELETE", "/v1/ads/users/{user_id}", eraseUser),
]);
