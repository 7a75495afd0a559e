import { changingGet, dashboardRead, route, routeGroup } from "../../../operation/route";
import { acknowledgeEdgeMessages } from "./acknowledge-edge-messages";
import { acknowledgeMessages } from "./acknowledge-messages";
import { createQueue } from "./create-queue";
import { deleteQueue } from "./delete-queue";
import { extendEdgeMessages } from "./extend-edge-messages";
import { extendMessages } from "./extend-messages";
import { getQueue } from "./get-queue";
import { getQueueHistory } from "./get-queue-history";
import { listQueueFigures } from "./list-queue-figures";
import { listQueues } from "./list-queues";
import { peekMessages } from "./peek-messages";
import { purgeQueue } from "./purge-queue";
import { receiveEdgeMessages } from "./receive-edge-messages";
import { receiveMessages } from "./receive-messages";
import { redriveMessages } from "./redrive-messages";
import { returnEdgeMessages } from "./return-edge-messages";
import { returnMessages } from "./return-messages";
import { sendEdgeMessages } from "./send-edge-messages";
import { sendMessages } from "./send-messages";
import { updateQueue } from "./update-queue";

export const queueRoutes = routeGroup("Queues", "Durable queues in strict order: create, send, receive, acknowledge", [
  route("POST", "/v1/queues", createQueue),
  route("GET", "/v1/queues", listQueues),
  route("GET", "/v1/queues/{q}", getQueue),
  route("GET", "/v1/queues/{q}/history", getQueueHistory),
  route("PATCH", "/v1/queues/{q}", updateQueue),
  route("DELETE", "/v1/queues/{q}", deleteQueue),
  route("POST", "/v1/queues/{q}/send", sendMessages),
  changingGet("/v1/queues/{q}/receive", receiveMessages),
  route("POST", "/v1/queues/{q}/acknowledge", acknowledgeMessages),
  route("POST", "/v1/queues/{q}/extend", extendMessages),
  route("POST", "/v1/queues/{q}/return", returnMessages),
  route("GET", "/v1/queues/{q}/messages", peekMessages),
  route("POST", "/v1/queues/{q}/redrive", redriveMessages),
  route("POST", "/v1/queues/{q}/purge", purgeQueue),
  route("POST", "/v1/edge/queues/{q}/send", sendEdgeMessages),
  route("POST", "/v1/edge/queues/{q}/receive", receiveEdgeMessages),
  route("POST", "/v1/edge/queues/{q}/acknowledge", acknowledgeEdgeMessages),
  route("POST", "/v1/edge/queues/{q}/extend", extendEdgeMessages),
  route("POST", "/v1/edge/queues/{q}/return", returnEdgeMessages),
  dashboardRead(listQueueFigures),
]);
