import type { GetPromptResult, Prompt } from "@modelcontextprotocol/server";
import { ServiceError } from "../../kernel/errors";

interface PromptTemplate extends Prompt {
  arguments: { name: string; description: string; required: boolean }[];
  text: (given: Readonly<Record<string, string>>) => string;
}

/** Of one argument: names and ids, and a sentence at most. */
const ARGUMENT_CHARACTERS_MAX = 500;

const TEMPLATES: readonly PromptTemplate[] = [
  {
    name: "deploy_model",
    title: "Deploy a model on a GPU pod",
    description: "Finds a GPU that fits, estimates price and wait, creates the pod and follows it until it runs",
    arguments: [
      { name: "image", description: "The container image that serves the model", required: true },
      {
        name: "gpu",
        description: "GPU model and count, such as 2 × h100; default: the cheapest that fits",
        required: false,
      },
    ],
    text: ({ image, gpu }) =>
      `Deploy the container image ${image} on svc${gpu ? ` with ${gpu}` : ""}.
1. Read svc_gpu_pools_list and choose a GPU model and region with free capacity.
2. Call svc_pods_estimate with the same fields that you will create the pod with. Show price and expected wait, and ask before you continue.
3. Call svc_pods_run, then svc_pods_get until status is ready or failed. While it is pending, svc_pods_explain says what it waits for.
4. Show the first lines of svc_pods_logs. If the pod failed, explain why from the logs and svc_pods_events.`,
  },
  {
    name: "find_why_pod_is_pending",
    title: "Find why a pod is pending",
    description: "Explains what a pod waits for and what would make it run sooner",
    arguments: [{ name: "pod_id", description: "The id of the pod", required: true }],
    text: ({ pod_id }) =>
      `Find out why the pod ${pod_id} does not run yet.
1. Call svc_pods_get and svc_pods_explain for it.
2. Say in two sentences what blocks it, its position in the queue, and when it is expected to run.
3. If svc_pods_explain names shapes that would fit now, offer the nearest one with its price from svc_pods_estimate. Change nothing without being asked to.`,
  },
  {
    name: "explain_campaign",
    title: "Explain why a campaign does not serve",
    description: "Checks state, budget, targeting and competition of a campaign",
    arguments: [
      { name: "campaign_id", description: "The id of the campaign", required: true },
      {
        name: "query",
        description: "What a visitor would ask; default: made from the campaign's creatives",
        required: false,
      },
    ],
    text: ({ campaign_id, query }) =>
      `Find out why the campaign ${campaign_id} does not serve.
1. Call svc_ads_campaigns_get: is it active, in its dates, with budget left?
2. Call svc_ads_creatives_list: are there creatives that may serve?
3. Call svc_ads_explain with campaign_id${query ? ` and the query "${query}"` : " and a query that its creatives answer"}, and read at which step it was left out.
4. Call svc_ads_reports_get for the last seven days, grouped by day.
Name the one cause that matters most, and the smallest change that fixes it. Change nothing without being asked to.`,
  },
];

export const prompts: readonly Prompt[] = TEMPLATES.map(({ text: _, ...prompt }) => prompt);

/** The messages of a prompt. Throws `invalid_request` for an unknown prompt or a missing argument. */
export function getPrompt(name: string, given: Readonly<Record<string, string>> = {}): GetPromptResult {
  const template = TEMPLATES.find((one) => one.name === name);
  if (!template) throw new ServiceError("invalid_request", `There is no prompt "${name.slice(0, 80)}".`);
  for (const { name: argument, required } of template.arguments) {
    const value = given[argument];
    if (required && !value) throw new ServiceError("invalid_request", `${argument}: expected a text.`);
    if (value !== undefined && value.length > ARGUMENT_CHARACTERS_MAX) {
      throw new ServiceError("invalid_request", `${argument}: expected at most ${ARGUMENT_CHARACTERS_MAX} characters.`);
    }
  }
  return {
    ...(template.description !== undefined && { description: template.description }),
    messages: [{ role: "user", content: { type: "text", text: template.text(given) } }],
  };
}
