import { CapacityCalendar } from "../../server/cloud/compute/reserved-gpus/capacity-calendar";
import { chooseDevices } from "../../server/cloud/compute/reserved-gpus/choose-devices";
import { freeForOnDemand } from "../../server/cloud/compute/reserved-gpus/free-for-on-demand";
import { isUsableBy } from "../../server/cloud/compute/reserved-gpus/reserved-devices";
import { seededRandom } from "./seeded-random";

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
const NODES = 8;
const GPUS_PER_NODE = 8;
const CAPACITY = NODES * GPUS_PER_NODE;
const LIFETIME_DAYS = 30;
const RESERVATIONS_PER_DAY = 0.15;
const PODS_PER_DAY = 10;
/** Of a reservation that has not started. */
const CANCELED_PER_HOUR = 0.0005;
const NODE_DAYS_BETWEEN_LOSSES = 120;

export interface WorldPolicy {
  name: string;
  /** Reservations and on-demand pods are admitted by the calendar; otherwise by what is free at the moment. */
  usesCalendar: boolean;
  lends: boolean;
}

export interface WorldFigures {
  admitted: number;
  rejected: number;
  canceled: number;
  /** Devices that two reservations, or a reservation and an on-demand pod, had at the same time. */
  doubleBookings: number;
  /** Starts with fewer GPUs than reserved: although enough were free, because of lost nodes, and because of others. */
  lateWithCapacity: number;
  lateByLoss: number;
  lateByOthers: number;
  nodesLost: number;
  idleHours: number;
  lentHours: number;
}

interface Booking {
  from: number;
  to: number;
  count: number;
  use: number;
  isStarted: boolean;
  isCanceled: boolean;
}

interface Slot {
  node: number;
  booking: Booking | undefined;
  /** The hour at which an on-demand pod ends; it is counted for its whole lifetime until `expires`. */
  pod: { ends: number; expires: number } | undefined;
}

/**
 * Plays `days` of one pool hour by hour: reservations of 30 and 365 days with cancellations, on-demand pods that end when
 * they like, lost nodes, and pods in the reservations. Everything is decided by the functions that the server uses.
 */
export class ReservationWorld {
  readonly figures: WorldFigures = {
    ...{ admitted: 0, rejected: 0, canceled: 0, doubleBookings: 0, lateWithCapacity: 0, lateByLoss: 0 },
    ...{ lateByOthers: 0, nodesLost: 0, idleHours: 0, lentHours: 0 },
  };
  readonly #slots: Slot[] = Array.from({ length: CAPACITY }, (_, i) => ({
    ...{ node: Math.floor(i / GPUS_PER_NODE), booking: undefined, pod: undefined },
  }));
  readonly #lostUntil = new Array<number>(NODES).fill(0);
  readonly #random: () => number;
  #bookings: Booking[] = [];
  #hour = 0;

  constructor(
    readonly policy: WorldPolicy,
    seed: number,
  ) {
    this.#random = seededRandom(seed);
  }

  run(days: number): WorldFigures {
    for (; this.#hour < days * DAY_HOURS; this.#hour++) {
      this.#end();
      this.#loseNodes();
      this.#assign();
      this.#cancel();
      if (this.#random() < RESERVATIONS_PER_DAY / DAY_HOURS) this.#reserve();
      if (this.#random() < PODS_PER_DAY / DAY_HOURS) this.#createPod();
      this.#lend();
      this.figures.doubleBookings += this.#slots.filter(({ booking, pod }) => booking && pod).length;
    }
    return this.figures;
  }

  #end(): void {
    for (const slot of this.#slots) {
      if (slot.booking && slot.booking.to <= this.#hour) slot.booking = undefined;
      if (slot.pod && slot.pod.ends <= this.#hour) slot.pod = undefined;
    }
    this.#bookings = this.#bookings.filter(({ to, isCanceled }) => to > this.#hour && !isCanceled);
  }

  #loseNodes(): void {
    for (let node = 0; node < NODES; node++) {
      if (this.#random() >= 1 / (NODE_DAYS_BETWEEN_LOSSES * DAY_HOURS)) continue;
      this.#lostUntil[node] = this.#hour + DAY_HOURS * (1 + Math.floor(this.#random() * 3));
      this.figures.nodesLost++;
      for (const slot of this.#slots) {
        if (slot.node === node) [slot.booking, slot.pod] = [undefined, undefined];
      }
    }
  }

  #isLost = (node: number): boolean => (this.#lostUntil[node] ?? 0) > this.#hour;

  /** Gives reservations that start now, or that lost devices, what they lack. */
  #assign(): void {
    for (const booking of this.#bookings.filter(({ from }) => from <= this.#hour)) {
      const missing = booking.count - this.#slots.filter((slot) => slot.booking === booking).length;
      if (missing > 0) this.#giveDevices(booking, missing);
      if (!booking.isStarted) this.#noteStart(booking);
      booking.isStarted = true;
    }
  }

  #giveDevices(booking: Booking, missing: number): void {
    const taken = new Map<string, Set<number>>();
    for (const [i, { node, booking: other, pod }] of this.#slots.entries()) {
      const name = String(node);
      if (!other && !pod && !this.#isLost(node)) continue;
      taken.set(name, (taken.get(name) ?? new Set()).add(i % GPUS_PER_NODE));
    }
    const nodes = Array.from({ length: NODES }, (_, node) => ({ name: String(node), gpus: GPUS_PER_NODE }));
    for (const { node, device } of chooseDevices({ nodes, taken, lent: new Map() }, missing)) {
      const slot = this.#slots[Number(node) * GPUS_PER_NODE + device];
      if (!slot || slot.booking || slot.pod) this.figures.doubleBookings++;
      else slot.booking = booking;
    }
  }

  #noteStart(booking: Booking): void {
    const missing = booking.count - this.#slots.filter((slot) => slot.booking === booking).length;
    if (missing === 0) return;
    const free = this.#slots.filter(({ node, booking: other, pod }) => !other && !pod && !this.#isLost(node)).length;
    const lost = this.#slots.filter(({ node }) => this.#isLost(node)).length;
    if (free >= missing) this.figures.lateWithCapacity++;
    else if (free + lost >= missing) this.figures.lateByLoss++;
    else this.figures.lateByOthers++;
  }

  /** As the server computes it, except that nodes which are lost now count as lost until they are repaired. */
  #calendar(): CapacityCalendar {
    const ms = (hour: number) => hour * HOUR_MS;
    const lost = this.#lostUntil.filter((until) => until > this.#hour);
    const pods = this.#slots.flatMap(({ pod }) => pod ?? []);
    return new CapacityCalendar(CAPACITY, [
      ...this.#bookings.map(({ from, to, count }) => ({ from: ms(from), to: ms(to), count })),
      ...lost.map((until) => ({ from: ms(this.#hour), to: ms(until), count: GPUS_PER_NODE })),
      ...pods.map(({ expires }) => ({ from: ms(this.#hour), to: ms(expires), count: 1 })),
    ]);
  }

  #cancel(): void {
    for (const booking of this.#bookings) {
      if (booking.isStarted || this.#random() >= CANCELED_PER_HOUR) continue;
      booking.isCanceled = true;
      this.figures.canceled++;
    }
    this.#bookings = this.#bookings.filter(({ isCanceled }) => !isCanceled);
  }

  #reserve(): void {
    const from = this.#hour + (this.#random() < 0.3 ? 0 : Math.floor(this.#random() * 90 * DAY_HOURS));
    const to = from + DAY_HOURS * (this.#random() < 0.8 ? 30 : 365);
    const count = 1 + Math.floor(this.#random() * 24);
    const free = this.policy.usesCalendar
      ? this.#calendar().minFree(from * HOUR_MS, to * HOUR_MS)
      : this.#slots.filter((slot) => !slot.booking && !slot.pod && !this.#isLost(slot.node)).length;
    if (free < count) {
      this.figures.rejected++;
      return;
    }
    this.figures.admitted++;
    this.#bookings.push({ from, to, count, use: this.#random(), isStarted: false, isCanceled: false });
    this.#assign();
  }

  #createPod(): void {
    const gpus = 2 ** Math.floor(this.#random() * 4);
    const now = new Date(this.#hour * HOUR_MS);
    if (this.policy.usesCalendar && freeForOnDemand(this.#calendar(), now, LIFETIME_DAYS) < gpus) return;
    const usable = ({ node, booking, pod }: Slot) =>
      !pod && !this.#isLost(node) && isUsableBy(booking && RESERVED, ON_DEMAND);
    for (let node = 0; node < NODES; node++) {
      const free = this.#slots.filter((slot) => slot.node === node && usable(slot));
      if (free.length < gpus) continue;
      const lifetime = LIFETIME_DAYS * DAY_HOURS;
      const ends = this.#hour + Math.min(lifetime, Math.ceil(-Math.log(1 - this.#random()) * 3 * DAY_HOURS));
      for (const slot of free.slice(0, gpus)) slot.pod = { ends, expires: this.#hour + lifetime };
      return;
    }
  }

  /** Pods of reservations change their need every hour; spot pods want a share of what is idle. */
  #lend(): void {
    let idle = 0;
    for (const booking of this.#bookings.filter(({ isStarted }) => isStarted)) {
      booking.use = Math.min(1, Math.max(0, booking.use + (this.#random() - 0.5) / 5));
      const has = this.#slots.filter((slot) => slot.booking === booking).length;
      idle += has - Math.min(has, Math.round(booking.use * booking.count));
    }
    const canLend = this.policy.lends && isUsableBy(RESERVED, SPOT);
    const wanted = Math.min(idle, Math.floor(this.#random() * 48));
    this.figures.idleHours += idle;
    this.figures.lentHours += canLend ? wanted : 0;
  }
}

const RESERVED = { reservationId: "", isActive: true, isAwaited: false };
const ON_DEMAND = { spot: false, reservationId: null };
const SPOT = { spot: true, reservationId: null };
