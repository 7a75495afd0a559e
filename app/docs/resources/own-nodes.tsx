import { Code, Definitions, DocsLink, DocsSection } from "../docs-text";

/** Health and upgrades of the nodes that a tenant has for itself. */
export const OwnNodes = () => (
  <>
    <DocsSection id="node-health" title="Health of nodes">
      <p>
        A node is yours while a baremetal instance of yours runs on it. With the service <Code>nlc</Code> activated,{" "}
        <Code>POST /v1/node-events</Code> (<Code>gpuc_nlc_event</Code>) reports what you have observed there: a{" "}
        <Code>signal</Code> such as <Code>xid_79</Code>, <Code>info</Code>, <Code>warn</Code> or <Code>crit</Code>, and{" "}
        <Code>details</Code> of at most 4 KiB, which only your tenant can read. The name of a node is{" "}
        <Code>use/h100/h100-3</Code>, or <Code>h100-3</Code> if only one of yours has it; any other name is 404 with
        those that you have. An event is a fact and no resource: nothing is provisioned for it, and it is not deleted.
      </p>
      <p>
        A <Code>crit</Code> cordons the node in the same transaction and drains it: the instance has 30 seconds to end,
        and continues with its files on another node. The cordon ends when it runs there or is stopped or deleted, when{" "}
        <Code>nlc</Code> is deactivated, and after 10 minutes in any case, because the node is not only yours any more.
        Your events cordon the same node 3 times within an hour, and all nodes 5 times; further ones are only recorded,
        and <Code>outcome</Code> says so. Cordons of operators stay, and operators see yours as <Code>tenant</Code>,
        with the signal. Webhooks receive <Code>node.health_event</Code>, <Code>node.cordoned</Code> and{" "}
        <Code>node.uncordoned</Code>. <Code>GET /v1/node-events</Code> lists the newest 1,000 of each mode, and as many
        of those that cordoned a node.
      </p>
    </DocsSection>
    <DocsSection id="fleet-upgrades" title="Upgrades of nodes">
      <p>
        A resource of <Code>flc</Code> upgrades the nodes that baremetal instances of the project have when it begins.
        Each is cordoned and drained, gets the version, and is uncordoned; meanwhile it is reserved for its instance,
        which starts again there with its files. The pod waits with the reason <Code>node_upgrading</Code> until then.{" "}
        <Code>gpuc_flc_upgrade</Code> gives the resource a name, and <Code>observed</Code> has the progress.
      </p>
      <Definitions label="Fields of an upgrade" rows={FIELDS} />
      <p>
        It is <Code>provisioning</Code> while it runs and <Code>ready</Code> when it is complete, with the events{" "}
        <Code>resource.created</Code> and <Code>resource.ready</Code>. It pauses, is <Code>failed</Code> and raises{" "}
        <Code>resource.failed</Code> when a node has a critical health event within 5 minutes after its upgrade, or when
        operators begin to upgrade the pool, which has priority. A paused upgrade keeps no node closed. An update with
        the same spec continues it; deleting it cancels it. Nodes whose instance you delete or stop meanwhile are left
        as they are. A tenant has one upgrade at a time in a pool: a second one is <Code>failed</Code> with the reason{" "}
        <Code>upgrade_open</Code>, and begins when the first is complete. Without any node of yours it is a placeholder
        with the reason <Code>target_missing</Code>.
      </p>
      <p>
        Nodes of test mode are simulated: their instances really stop and start, but of the node only the version in the
        records changes. In live mode an upgrade is a placeholder. Nodes that have joined may run pods of several
        tenants, so that only operators restart their agents: <Code>svc admin upgrade-fleet --pool joined-nodes</Code>,
        see <DocsLink href="/docs/pods#operators">pods</DocsLink>.
      </p>
    </DocsSection>
  </>
);

const FIELDS = [
  ["target_version", "Up to 64 letters, digits and . + _ -, such as 1.2.0"],
  [
    "strategy",
    "rolling, the default: nodes one after the other. blue_green: the first half is closed without notice, drained after 10 minutes, and opens together; the other half follows when the first had 5 minutes without a critical event",
  ],
  ["max_unavailable", "How many of your nodes may be unavailable at a time, default 1"],
] as const;
