import fc from "fast-check";
import { expect, it } from "vitest";
import { type DemandPrices, demandPrices } from "./demand-prices";
import { GPU_MILLI } from "./gpu-request";
import { NodePotential } from "./node-potential";
import { NodeTable, type NodeType } from "./node-table";
import { NODE_SPECS, REQUESTS } from "./packing.fixture";
import { allowsModel, isShared, type Shape, ShapeTable } from "./shape-table";

const WEIGHTS = { waste: 5, stranded: 0.25, blocked: 30 };

const counts = fc.array(fc.record({ seen: fc.integer({ min: 1, max: 99 }), blocked: fc.nat(9) }), {
  minLength: REQUESTS.length,
  maxLength: REQUESTS.length,
});

it("gains what the loss, by its definition, falls when the request is really placed", () => {
  const series = fc.array(fc.tuple(fc.nat(REQUESTS.length - 1), fc.nat(NODE_SPECS.length - 1)), { maxLength: 40 });
  fc.assert(
    fc.property(counts, series, (seen, placements) => {
      const table = new NodeTable();
      for (const spec of NODE_SPECS) table.add(spec);
      const shapes = seenShapes(seen);
      const prices = demandPrices(shapes);
      const potential = new NodePotential(table, prices, WEIGHTS);
      for (const [which, node] of placements) {
        const shape = shapes[which] as Shape;
        const gain = potential.gain(shape, node);
        const idle = Array.from({ length: table.gpus[node] as number }, (_, device) => device);
        const whole = idle.filter((device) => table.deviceIdleOf(node, device) === GPU_MILLI);
        if (gain === undefined) continue;
        const before = lossByDefinition(table, prices, node);
        table.take(node, shape, isShared(shape) ? [potential.device] : whole.slice(0, shape.gpus));
        expect(gain).toBeCloseTo(before - lossByDefinition(table, prices, node), 6);
      }
    }),
  );
});

function seenShapes(counted: readonly { seen: number; blocked: number }[]): Shape[] {
  const table = new ShapeTable(() => undefined);
  return REQUESTS.map((one, i) => {
    const { seen, blocked } = counted[i] ?? { seen: 1, blocked: 0 };
    return Object.assign(table.intern(one), { seen, blocked: Math.min(seen, blocked) });
  });
}

function lossByDefinition(table: NodeTable, prices: DemandPrices, node: number): number {
  const type = table.types[table.typeOf[node] as number] as NodeType;
  const devices = Array.from({ length: type.gpus }, (_, device) => table.deviceIdleOf(node, device));
  const cpu = table.cpuFree[node] as number;
  const total = devices.reduce((sum, idle) => sum + idle, 0);
  let fragments = 0;
  let blocked = 0;
  for (const one of prices.classes) {
    const size = prices.thresholds[one.threshold] as number;
    const lacking = one.gpus - devices.filter((idle) => idle >= size).length;
    const isOther = one.gpus === 0 || one.gpus > type.gpus || one.cpuMilli > type.cpuMilli || !allowsModel(one, type);
    const fits = !isOther && one.cpuMilli <= cpu && lacking <= 0;
    const below = devices.filter((idle) => idle < size).reduce((sum, idle) => sum + idle, 0);
    fragments += (one.share * (fits ? below : total)) / GPU_MILLI;
    if (fits || isOther || one.gpus < 2) continue;
    blocked += one.blockedShare * one.gpus * (one.cpuMilli > cpu ? 1 : 1 - 0.5 ** lacking);
  }
  const wasted = devices.reduce((sum, idle) => sum + (prices.waste[idle] as number), 0);
  const stranded = Math.max(0, total / GPU_MILLI - cpu * prices.gpusPerCpuMilli);
  return fragments + WEIGHTS.waste * wasted + WEIGHTS.stranded * stranded + WEIGHTS.blocked * blocked;
}
