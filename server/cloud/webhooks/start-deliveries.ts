import type { Counters } from "../../engines/counters/counters";
import { repeat } from "../../kernel/repeat";
import { Wake } from "../../kernel/wake";
import { DeliveryLoop, type DeliveryLoopCtx } from "./delivery-loop";
import { DELIVERIES_DUE } from "./wake-deliveries";

interface StartDeliveries extends Omit<DeliveryLoopCtx, "onRoom"> {
  log: DeliveryLoopCtx["log"] & Parameters<typeof repeat>[0]["log"];
  counters: Pick<Counters, "subscribe">;
}

/** Runs rounds in the background until `stop`, which waits for the attempts under way. */
export function startDeliveries({ counters, ...ctx }: StartDeliveries) {
  const wake = new Wake();
  const loop = new DeliveryLoop({ ...ctx, onRoom: () => wake.up() });
  const repeating = repeat({ everyMs: 0, log: ctx.log, purpose: "deliver webhooks" }, () => loop.round(), {
    wait: (ms, signal) => wake.wait(ms + loop.pauseMs, signal),
  });
  const subscribed = counters
    .subscribe(DELIVERIES_DUE, () => {
      loop.lookAgain();
      wake.up();
    })
    .catch(() => async () => undefined);
  return {
    async stop() {
      await (await subscribed)();
      await repeating.stop();
      await loop.settled();
    },
  };
}
