import type { Part } from "../../identity/part";
import { SIGNAL_LIFE_MS } from "../limits";
import { SignalMemory } from "./signal-memory";
import { deleteSignalsBefore } from "./signals.sql";

type Needs = ConstructorParameters<typeof SignalMemory>[0];

const FORGET_SIGNALS = "forget_signals";

/** What publishers report of their users; expired signals are deleted hourly. */
export const signalsPart: Part<Needs, { signals: SignalMemory }> = {
  name: "signals",
  start: async ({ sql, counters, clock }) => {
    const signals = new SignalMemory({ sql, counters, clock });
    await signals.listen();
    return {
      gives: { signals },
      tasks: {
        [FORGET_SIGNALS]: () => deleteSignalsBefore(sql, new Date(clock.now().getTime() - SIGNAL_LIFE_MS)),
      },
      crontab: [`27 * * * * ${FORGET_SIGNALS}`],
      stop: () => signals.close(),
    };
  },
};
