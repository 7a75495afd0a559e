import type { Metadata } from "next";
import { DocsCode } from "../docs-code";
import { Code, Definitions, DocsLink, DocsPage, DocsSection } from "../docs-text";
import { LimitsSection, QuickStartSection } from "../usual-sections";
import { Clusters } from "./clusters";
import { Conversions } from "./conversions";
import { COMMAND_LINE, LIMITS, TOOL } from "./examples";
import { Inference } from "./inference";
import { Instances } from "./instances";
import { Networks } from "./networks";
import { Notebooks } from "./notebooks";
import { OwnNodes } from "./own-nodes";
import { QuickStart } from "./quick-start";
import { Redirects } from "./redirects";
import { SharedVolumes } from "./shared-volumes";
import { Telemetry } from "./telemetry";

export const metadata: Metadata = { title: "Resources" };

export default function ResourcesPage() {
  return (
    <DocsPage
      title="Resources"
      lead="Instances, buckets and other things that svc provisions and keeps in the state that you requested."
    >
      <QuickStartSection scopes="gpuc" note="; services of other planes have scopes of their own.">
        <QuickStart />
        <p>The same with the command line:</p>
        <DocsCode label="Shell" code={COMMAND_LINE} language="bash" />
      </QuickStartSection>
      <Planes />
      <Activations />
      <States />
      <Placeholders />
      <Instances />
      <Buckets />
      <Conversions />
      <Inference />
      <Networks />
      <Clusters />
      <OwnNodes />
      <Telemetry />
      <SharedVolumes />
      <Redirects />
      <Notebooks />
      <Tools />
      <Simulated />
      <LimitsSection of="resources" rows={LIMITS} />
    </DocsPage>
  );
}

const Planes = () => (
  <DocsSection id="planes" title="Planes">
    <p>
      Services belong to one of four planes. The name of a service is unique in its plane only: a request names both{" "}
      <Code>plane</Code> and <Code>service</Code>, and without <Code>plane</Code> it is about <Code>gpuc</Code>.{" "}
      <Code>GET /v1/services</Code> lists the services; each can be activated, and one whose <Code>provisionable</Code>{" "}
      is false has placeholders only, with the <Code>reason</Code>. A key reads and changes only resources of planes of
      which it has the scope; a list without <Code>plane</Code> has those of all of them.
    </p>
    <Definitions label="Planes" rows={PLANES} />
  </DocsSection>
);

const PLANES = [
  ["gpuc", "Compute and infrastructure: each service is activated by itself. Tiers: starter, business, enterprise"],
  ["edge", "Edge: each service is activated by itself. Tiers: free, pro, business, enterprise"],
  ["obs", "Observability: everything is provisioned while the service observe of gpuc is activated, with its tier"],
  ["shield", "Security: needs no activation"],
] as const;

const Activations = () => (
  <DocsSection id="activations" title="Services, activations and tiers">
    <p>
      Each resource belongs to a service, such as <Code>gpu</Code>, <Code>cpu</Code>, <Code>baremetal</Code> or{" "}
      <Code>object</Code>, and has a kind of it. <Code>GET /v1/resources/kinds</Code> lists the kinds that this
      installation has, each with the JSON schema of its <Code>spec</Code>, from which the dashboard draws its forms.
    </p>
    <p>
      A service is activated for the whole tenant in one mode: <Code>POST /v1/activations</Code> with{" "}
      <Code>service</Code> and <Code>plan_tier</Code>. The tier says how many resources of the service there can be; one
      more is 429 with the code <Code>quota_exceeded</Code> and the reason <Code>plan_tier</Code>. The same request with
      another tier changes it. An activation costs nothing.
    </p>
    <p>
      <Code>DELETE /v1/activations/&lt;service&gt;?plane=&lt;plane&gt;</Code> deactivates a service, of{" "}
      <Code>gpuc</Code> without <Code>plane</Code>. Its resources are suspended: what they run ends, and their records
      and data stay. They are provisioned again when the service is activated. A service whose resources cannot be
      suspended, such as buckets, is 409 with the reason <Code>has_resources</Code>: delete them first.
    </p>
  </DocsSection>
);

const States = () => (
  <DocsSection id="states" title="States">
    <Definitions label="States of a resource" rows={STATES} />
    <p>
      svc provisions a resource, observes its effect when something that it depends on changes and from time to time
      (each minute, unless nothing from outside can change it), and provisions again what is missing, also if a process
      of svc is killed meanwhile. <Code>observed</Code> is the last observation, unchanged since{" "}
      <Code>observed_at</Code>; <Code>reason</Code> says why a resource has its state; <Code>endpoints</Code> and{" "}
      <Code>try_it</Code> show how to reach its effect. <Code>PATCH</Code> replaces the whole <Code>spec</Code>, and{" "}
      <Code>generation</Code> counts its changes; the same spec again makes a resource that failed be provisioned once
      more. The events are <Code>resource.created</Code>, <Code>resource.updated</Code>, <Code>resource.ready</Code>,{" "}
      <Code>resource.failed</Code>, <Code>resource.degraded</Code>, <Code>resource.suspended</Code> and{" "}
      <Code>resource.deleted</Code>.
    </p>
    <p>
      A spec names another resource by its id (<Code>x-reference</Code> in the schema of the field), which is one of the
      same project and mode; otherwise the request is 404 with the reason <Code>no_such_resource</Code>.{" "}
      <Code>GET /v1/resources/{"{rid}"}</Code> lists the <Code>dependents</Code> of a resource. It cannot be deleted
      before them (409 with the reason <Code>has_dependents</Code>), besides parts of it, which are deleted with it.
    </p>
    <p>
      A request with the name, kind and spec of a resource that exists returns that one, so that it can be repeated.
      With another kind or spec it is 409 with the reason <Code>name_taken</Code>, and <Code>details.differs</Code> says
      in what.
    </p>
  </DocsSection>
);

const STATES = [
  ["provisioning", "Its effect is on its way"],
  ["ready", "Its effect exists, as the spec says"],
  [
    "degraded",
    "Its effect is missing, and is provisioned again, is faulty, or changes from outside, such as an instance that stops",
  ],
  [
    "failed",
    "It could not be provisioned, and svc tries again after 1 second, then after pauses that grow to 5 minutes; or its effect was faulty from the start, such as a program that ended",
  ],
  ["suspended", "Its service is not activated"],
  ["deleting", "Its effect is removed, with its data"],
  ["placeholder", "Nothing of it exists; the dashboard shows it as planned"],
] as const;

const Placeholders = () => (
  <DocsSection id="placeholders" title="Placeholders">
    <p>
      When its service is not activated, or this installation lacks something, a creation is still 201, and the response
      is a placeholder: <Code>provisioned</Code> is false, <Code>reason</Code> has a code, a message and a remedy, and{" "}
      <Code>plan</Code> has the steps that svc would take, each with how you can see its effect. It costs nothing. Its
      id begins with <Code>plc_</Code> and is the same for the same request. Repeat the request when nothing is missing
      any more: the resource takes the place of its placeholder.
    </p>
    <Definitions label="Reasons of placeholders" rows={REASONS} />
  </DocsSection>
);

const REASONS = [
  ["not_activated", "The service is not activated in this mode"],
  ["engine_missing", "No node of this installation can run it"],
  ["needs_capability", "This installation does not offer it, such as instances reserved for three years"],
  ["needs_network", "It needs a network that this installation does not have"],
  ["elsewhere", "Another operation has it, which the remedy names"],
  ["target_missing", "What it refers to does not exist, or is a placeholder"],
] as const;

const Buckets = () => (
  <DocsSection id="buckets" title="Buckets">
    <p>
      A resource of the service <Code>object</Code> is a bucket of{" "}
      <DocsLink href="/docs/storage">object storage</DocsLink>. Its name there is unique in the installation, so it is
      made from the name of the resource and its id: <Code>observed.bucket</Code> has it. <Code>tier</Code> of the spec
      is the <DocsLink href="/docs/storage#classes">storage class</DocsLink> of new objects, and{" "}
      <Code>lifecycle_days_to_warm</Code>, <Code>lifecycle_days_to_cold</Code> and{" "}
      <Code>lifecycle_days_to_archive</Code> move objects by age. Deleting the resource deletes the bucket with all its
      objects.
    </p>
  </DocsSection>
);

const Tools = () => (
  <DocsSection id="tools" title="Tools">
    <p>
      <DocsLink href="/docs/agents">Agents</DocsLink> have the tools whose names begin with <Code>gpuc_</Code>:{" "}
      <Code>gpuc_activate</Code>, <Code>gpuc_skus</Code> and <Code>gpuc_usage</Code>, and for each service tools that
      create, list and delete; the fields of a spec are arguments of their own. Services of <Code>edge</Code> and{" "}
      <Code>obs</Code> have four tools each, such as <Code>edgec_cdn_create</Code>, <Code>_list</Code>,{" "}
      <Code>_get</Code> and <Code>_delete</Code>, with the spec as one argument; <Code>edgec_skus</Code>,{" "}
      <Code>edgec_price</Code> and <Code>edgec_usage</Code> are about prices and usage of <Code>edge</Code>. Without an
      activated service a tool returns a placeholder, so that an agent can plan first and ask a person before anything
      costs something.
    </p>
    <DocsCode label="tools/call" code={TOOL} language="json" />
  </DocsSection>
);

const Simulated = () => (
  <DocsSection id="simulated" title="What is simulated">
    <p>
      With a test key the GPUs of instances are simulated, and <Code>observed.simulated_gpus</Code> says so: the
      instance runs, and GPUs are assigned, metered and priced, but no process has one. In live mode an instance with
      GPUs needs a node that has them, and is a placeholder without one. SKUs of CPU instances are names of processors,
      but an instance runs on the processor of the machine that svc has. A service without any kind of resource, such as{" "}
      <Code>nlc</Code>, can be activated, but nothing of it can be created. svc reports nothing that is simulated as
      real.
    </p>
  </DocsSection>
);
