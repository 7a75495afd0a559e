import { Code, Definitions, DocsSection } from "../docs-text";

/** How operators upgrade GPU nodes. */
export const FleetUpgrades = () => (
  <DocsSection id="fleet-upgrades" title="Upgrades of GPU nodes">
    <p>
      Each simulated GPU node has a version, which <Code>admin gpu-nodes</Code> shows.{" "}
      <Code>admin upgrade-fleet --version 1.2.0</Code> upgrades all simulated pools and the nodes that have joined;{" "}
      <Code>--pool apac/h100</Code> upgrades one pool. An upgrade advances while a worker runs. Pods really leave
      simulated nodes, but only the version in the records changes (<Code>SIMULATED</Code> in{" "}
      <Code>admin fleet-upgrades</Code>).
    </p>
    <p>
      On nodes that joined with <Code>node join</Code>, an upgrade restarts agents: with{" "}
      <Code>--pool joined-nodes</Code> all of them, with <Code>--pool use/h100/live</Code> those with such GPUs. Install
      the new version on each node first; the agent is then ended and the program on the disk started, which builds
      itself if needed. Pods keep running. The node that is being upgraded gets no new pods, and the next one follows
      when it is back. The upgrade pauses, and restarts nothing more, if a node is not back within 5 minutes, has not
      reported for 5 minutes when its turn comes, or does not run the version of <Code>--version</Code>, which may be
      left out here. The node of a process of svc itself is not restarted.
    </p>
    <Definitions
      label="Options and states of an upgrade"
      rows={[
        [
          "--max-unavailable",
          "Default 1, at most the nodes of the pool. An upgrade closes a node only if no more than so many nodes of the pool then accept no pods, those included that operators or health events have cordoned. It never drains a node that an operator has cordoned without a drain; that one is upgraded when its pods have ended.",
        ],
        [
          "--strategy rolling",
          "The default: drains nodes with the usual 30 seconds of notice, and opens each when it has the version.",
        ],
        [
          "--strategy blue_green",
          "Takes the first half of the nodes by name, in batches of at most --max-unavailable. A batch is cordoned, so that new pods go to other nodes, and drained only after --wait-minutes (default 10); it opens when all of it has the version. The other half follows when the first had 5 minutes without a critical health event. There are no surge nodes.",
        ],
        [
          "Failures",
          "A node whose upgrade fails stays cordoned, and the upgrade of its pool pauses, with the reason in admin fleet-upgrades. It also pauses if a node has a critical health event within 5 minutes after its upgrade, while others remain.",
        ],
        [
          "resume-upgrade, cancel-upgrade",
          "The first tries failed nodes again. The second opens what the upgrade has closed, except failed nodes. A node that operators or health events have cordoned stays cordoned after its upgrade.",
        ],
      ]}
    />
  </DocsSection>
);
