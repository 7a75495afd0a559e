import type { ResourceTemplateType } from "@modelcontextprotocol/server";
import { getCampaign } from "../../ads/campaigns/get-campaign";
import { listCampaigns } from "../../ads/campaigns/list-campaigns";
import { getPod } from "../../cloud/compute/pods/get-pod";
import { listPods } from "../../cloud/compute/pods/list-pods";
import { getSandbox } from "../../cloud/compute/sandboxes/get-sandbox";
import { listSandboxes } from "../../cloud/compute/sandboxes/list-sandboxes";
import type { Event as EventRow } from "../../engines/postgres/generated/client";
import type { Actor } from "../../operation/actor";
import type { AnyOperation } from "../../operation/operation";

const JSON_TYPE = "application/json";
const URI = /^svc:\/\/([a-z]{1,40})\/([A-Za-z0-9_-]{1,100})$/;

/** Objects that agents can read by their id and follow; `events` begins the kinds of the events about one. */
export interface ObjectResource {
  noun: "campaigns" | "pods" | "sandboxes";
  title: string;
  read: AnyOperation;
  list: AnyOperation;
  events: string;
}

const OBJECTS: readonly ObjectResource[] = [
  { noun: "pods", title: "A pod, with its status", read: getPod, list: listPods, events: "pod." },
  { noun: "sandboxes", title: "A sandbox, with its status", read: getSandbox, list: listSandboxes, events: "sandbox." },
  { noun: "campaigns", title: "A campaign", read: getCampaign, list: listCampaigns, events: "campaign." },
];

const maySee = ({ scopes }: Actor, { read }: ObjectResource): boolean =>
  (scopes as ReadonlySet<string>).has(read.access);

/** The templates of the objects that an actor's scopes allow. */
export const objectTemplatesFor = (actor: Actor): ResourceTemplateType[] =>
  OBJECTS.filter((one) => maySee(actor, one)).map(({ noun, title }) => ({
    uriTemplate: `svc://${noun}/{id}`,
    name: noun,
    title,
    mimeType: JSON_TYPE,
  }));

/** The object that a URI names; undefined for another URI, and without the scope to read it. */
export function objectAt(uri: string, actor: Actor): (ObjectResource & { id: string; mimeType: string }) | undefined {
  const [, noun, id] = URI.exec(uri) ?? [];
  const found = OBJECTS.find((one) => one.noun === noun);
  if (!found || id === undefined || !maySee(actor, found)) return undefined;
  return {
    ...found,
    id,
    mimeType: JSON_TYPE,
  };
}

/** The objects of a noun, if the actor may see them. */
export const objectsCalled = (noun: string | undefined, actor: Actor): ObjectResource | undefined =>
  OBJECTS.find((one) => one.noun === noun && maySee(actor, one));

/** Whether an event is about the object that a URI names. */
export function isAboutObject({ type, data }: Pick<EventRow, "type" | "data">, uri: string): boolean {
  const [, noun, id] = URI.exec(uri) ?? [];
  const object = OBJECTS.find((one) => one.noun === noun);
  return object !== undefined && type.startsWith(object.events) && (data as { id?: unknown }).id === id;
}
