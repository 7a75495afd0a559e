import type { StartedAlarms } from "../../../engines/start-alarms";
import { NEXT_DELIVERY } from "./deliveries.sql";
import { DeliveryLoop, type DeliveryLoopCtx } from "./delivery-loop";

const TOPIC = "webhooks";
/** Events that are recorded together are dispatched together. */
const GATHER_MS = 10;

interface StartDeliveries extends Omit<DeliveryLoopCtx, "onRoom"> {
  alarms: Pick<StartedAlarms, "add" | "wake">;
}

/** Delivers in the background until `stop`, which waits for the attempts under way. */
export function startDeliveries({ alarms, ...ctx }: StartDeliveries) {
  const loop = new DeliveryLoop({ ...ctx, onRoom: () => alarms.wake(TOPIC) });
  const round = alarms.add({
    topic: TOPIC,
    purpose: "deliver webhooks",
    nextDue: NEXT_DELIVERY,
    gatherMs: GATHER_MS,
    run: () => loop.round(),
    idle: () => loop.idle(),
  });
  return {
    async stop() {
      await round.stop();
      await loop.idle();
    },
  };
}
