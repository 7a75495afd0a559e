import { z } from "zod";
import { type EventKind, eventKind, eventsOf } from "../../../operation/event-kind";
import { EdgeFunction } from "./edge-function";
import { edgeExample, publishedExample } from "./edge-function.example";

/** Without what may contain what only readers of edge functions should see: variables, and what the draft printed. */
const EdgeFunctionData = EdgeFunction.omit({ env: true, smoke: true });

/** An edge function as its events and audit entries show it. */
export const recorded = ({ env: _env, smoke: _smoke, ...shown }: EdgeFunction): z.infer<typeof EdgeFunctionData> =>
  shown;

const eventOf = eventsOf(EdgeFunctionData, recorded(publishedExample));

export const edgeFunctionCreated = eventOf(
  "edge_function.created",
  "An edge function was created, as a draft.",
  recorded(edgeExample),
);

export const edgeFunctionUpdated = eventKind({
  type: "edge_function.updated",
  description: "The name or the draft of an edge function changed; the published version serves as before.",
  data: EdgeFunctionData.extend({ changed: z.array(z.string()).describe("The names of the changed fields") }),
  example: { ...recorded(edgeExample), version: 2, changed: ["version"] },
});

export const edgeFunctionPublished = eventOf(
  "edge_function.published",
  "Another version of an edge function serves from now on: its draft, or an earlier one again.",
);

export const edgeFunctionDeleted = eventOf(
  "edge_function.deleted",
  "An edge function was deleted with its versions; its host does not respond any more.",
);

export const edgeFunctionEventKinds: readonly EventKind[] = [
  edgeFunctionCreated,
  edgeFunctionUpdated,
  edgeFunctionPublished,
  edgeFunctionDeleted,
];
