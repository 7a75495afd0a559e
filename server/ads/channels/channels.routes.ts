import { dashboardChange, route, routeGroup } from "../../operation/route";
import { copyChannel } from "./copy-channel";
import { createChannel } from "./create-channel";
import { createChannelKey } from "./create-channel-key";
import { deleteChannel } from "./delete-channel";
import { getChannel } from "./get-channel";
import { listChannelKeys } from "./list-channel-keys";
import { listChannels } from "./list-channels";
import { restoreChannel } from "./restore-channel";
import { revokeChannelKey } from "./revoke-channel-key";
import { updateChannel } from "./update-channel";

export const channelRoutes = routeGroup("Channels", "Surfaces of a publisher, and their keys", [
  route("POST", "/v1/ads/channels", createChannel),
  route("GET", "/v1/ads/channels", listChannels),
  route("GET", "/v1/ads/channels/{id}", getChannel),
  route("PATCH", "/v1/ads/channels/{id}", updateChannel),
  route("DELETE", "/v1/ads/channels/{id}", deleteChannel),
  route("POST", "/v1/ads/channels/{id}/restore", restoreChannel),
  route("POST", "/v1/ads/channels/{id}/keys", createChannelKey),
  route("GET", "/v1/ads/channels/{id}/keys", listChannelKeys),
  route("POST", "/v1/ads/channels/{id}/keys/{key_id}/revoke", revokeChannelKey),
  dashboardChange(copyChannel),
]);
