import type { ServingCampaign } from "../serving/serving";
import { TrafficProfile } from "./traffic-profile";

type Hours = number[];
type Audience = Pick<ServingCampaign, "tenantId" | "reach"> & {
  targeting: Pick<ServingCampaign["targeting"], "channels" | "geos">;
};

/** Limits memory: one entry per audience that campaigns have. */
const AUDIENCES_MAX = 5000;

/**
 * When the requests that a campaign can serve arrive. Requests are counted rather than the campaign's own offers, which
 * pacing has already shaped (the forecast of LinkedIn's budget pacing, Agarwal et al., KDD 2014).
 */
export class TrafficProfiles {
  readonly #channels = new Map<string, { tenantId: string; hours: Hours }>();
  readonly #geos = new Map<string, Hours>();
  readonly #profiles = new Map<string, TrafficProfile>();

  addChannel(tenantId: string, channelId: string, { hour, requests }: HourCount): void {
    const channel = this.#channels.get(channelId) ?? { tenantId, hours: [] };
    channel.hours[hour] = (channel.hours[hour] ?? 0) + requests;
    this.#channels.set(channelId, channel);
  }

  addGeo(geo: string, { hour, requests }: HourCount): void {
    const hours = this.#geos.get(geo) ?? [];
    hours[hour] = (hours[hour] ?? 0) + requests;
    this.#geos.set(geo, hours);
  }

  /**
   * Selects by a campaign's channels, else by its countries if it runs on the network, else by its tenant's channels.
   */
  of({ tenantId, reach, targeting: { channels, geos } }: Audience): TrafficProfile {
    const key = JSON.stringify([reach === "tenant" ? tenantId : "", channels, reach === "network" ? geos : []]);
    const known = this.#profiles.get(key);
    if (known) return known;
    if (this.#profiles.size >= AUDIENCES_MAX) this.#profiles.clear();
    const made = new TrafficProfile(sumOf(this.#hoursOf({ tenantId, reach, targeting: { channels, geos } })));
    this.#profiles.set(key, made);
    return made;
  }

  #hoursOf({ tenantId, reach, targeting: { channels, geos } }: Audience): Hours[] {
    if (channels.length > 0) return channels.flatMap((id) => [this.#channels.get(id)?.hours ?? []]);
    if (reach === "tenant") {
      return [...this.#channels.values()].filter((one) => one.tenantId === tenantId).map(({ hours }) => hours);
    }
    return geos.length > 0 ? geos.map((geo) => this.#geos.get(geo) ?? []) : [...this.#geos.values()];
  }
}

export interface HourCount {
  /** The hour of the UTC day, 0 to 23. */
  hour: number;
  requests: number;
}

const sumOf = (all: readonly Hours[]): Hours =>
  Array.from({ length: 24 }, (_, hour) => all.reduce((sum, hours) => sum + (hours[hour] ?? 0), 0));
