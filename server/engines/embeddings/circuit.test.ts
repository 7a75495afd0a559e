import { expect, it } from "vitest";
import { ManualClock } from "../../kernel/clock";
import { Circuit } from "./circuit";

const circuitAt = () => {
  const clock = new ManualClock(new Date("2026-11-20T12:00:00Z"));
  return { clock, circuit: new Circuit(clock) };
};

/** How many milliseconds pass until a request is allowed. */
const pauseOf = ({ clock, circuit }: ReturnType<typeof circuitAt>): number => {
  for (let ms = 0; ; ms += 500) {
    if (circuit.allows()) return ms;
    clock.advance(500);
  }
};

it("stays closed while failures alternate with successes", () => {
  const { circuit } = circuitAt();
  for (let i = 0; i < 10; i++) {
    circuit.failed();
    circuit.failed();
    circuit.succeeded();
  }
  expect([circuit.allows(), circuit.isOpen]).toEqual([true, false]);
});

it("pauses longer after each failure, up to a minute, and recovers after one success", () => {
  const scene = circuitAt();
  for (let i = 0; i < 3; i++) scene.circuit.failed();
  const pauses = Array.from({ length: 8 }, () => {
    const ms = pauseOf(scene);
    scene.circuit.failed();
    return ms;
  });
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  pauseOf(scene);
  scene.circuit.succeeded();
  expect([scene.circuit.allows(), scene.circuit.isOpen]).toEqual([true, false]);
});

it("lets a single request through after a pause", () => {
  const { clock, circuit } = circuitAt();
  for (let i = 0; i < 3; i++) circuit.failed();
  clock.advance(1000);
  expect([circuit.allows(), circuit.allows()]).toEqual([true, false]);
});
