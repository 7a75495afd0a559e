import { Section } from "../../../../components/ui/card";
import { formatCount } from "../../../../format/numbers";
import { Fact, Facts } from "../../../components/facts";
import { ImageName } from "../image-name";
import { exitText, gpuText, type Pod, purchaseText } from "../pod";

/** What was asked for, what it got, and what isolates it. */
export const PodDetails = ({ pod }: { pod: Pod }) => (
  <div className="grid items-start gap-6 lg:grid-cols-2">
    <Request pod={pod} />
    <div className="min-w-0 space-y-6">
      <Isolation pod={pod} />
      <Environment pod={pod} />
    </div>
  </div>
);

function Request({ pod }: { pod: Pod }) {
  const { image, command, gpu, region, allocation, cpu, memory_mb, labels } = pod;
  return (
    <Section title="Configuration">
      <Facts>
        <Fact name="Image" className="sm:col-span-2">
          <ImageName image={image} />
        </Fact>
        <Fact name="Command" className="sm:col-span-2">
          <Command command={command} />
        </Fact>
        <Fact name="GPUs">{gpu === null ? "none" : `${gpuText(pod)}${pod.simulated ? ", simulated" : ""}`}</Fact>
        {gpu !== null && <Fact name="Purchase">{purchaseOf(pod)}</Fact>}
        {region !== null && <Fact name="Region">{region}</Fact>}
        {allocation !== null && (
          <Fact name="Node">
            {allocation.node}, {allocation.devices.length === 1 ? "device" : "devices"} {allocation.devices.join(", ")}
          </Fact>
        )}
        <Fact name="CPU cores, at most">{formatCount(cpu)}</Fact>
        <Fact name="Memory">{formatCount(memory_mb)} MiB</Fact>
        {pod.volume && <Fact name="Volume">{volumeText(pod.volume)}</Fact>}
        {pod.ports.length > 0 && (
          <Fact name="Ports" className="sm:col-span-2">
            <Ports ports={pod.ports} />
          </Fact>
        )}
        {pod.gang && (
          <Fact name="Gang">
            {pod.gang.name}, {pod.gang.size} pods that are placed together
          </Fact>
        )}
        <Fact name="End of the last run">{exitText(pod.exit) ?? "–"}</Fact>
        <Fact name="Labels" className="sm:col-span-2">
          <Labels labels={labels} />
        </Fact>
      </Facts>
    </Section>
  );
}

function volumeText({ size_gb, mount_path, size_enforced }: NonNullable<Pod["volume"]>): string {
  const size = `${formatCount(size_gb)} GiB at ${mount_path}`;
  return size_enforced === false ? `${size}; this node does not enforce the size` : size;
}

const Ports = ({ ports }: Pick<Pod, "ports">) => (
  <ul className="space-y-1">
    {ports.map(({ port, url }) => (
      <li key={port}>
        <a href={url} target="_blank" rel="noreferrer" className="break-all underline underline-offset-4">
          {port}
        </a>
      </li>
    ))}
  </ul>
);

function purchaseOf(pod: Pod): string {
  if (pod.reservation_id !== null) return `reserved, ${pod.reservation_id}`;
  return pod.auto_resume ? `${purchaseText(pod)}, resumes after a reclaim` : purchaseText(pod);
}

const Command = ({ command }: { command: string[] | null }) =>
  command === null ? (
    "the program of the image"
  ) : (
    <ol className="space-y-0.5 font-mono text-xs">
      {command.map((argument, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: arguments can be equal, and do not change.
        <li key={at} className="whitespace-pre-wrap break-all">
          {argument === "" ? '""' : argument}
        </li>
      ))}
    </ol>
  );

const Labels = ({ labels }: { labels: Record<string, string> }) =>
  Object.keys(labels).length === 0
    ? "none"
    : Object.entries(labels).map(([name, value]) => (
        <span
          key={name}
          className="mr-1.5 mb-1 inline-block break-all rounded-md border bg-muted px-1.5 font-mono text-xs"
        >
          {name}={value}
        </span>
      ));

const GPU_TEXTS = {
  none: "none",
  simulated: "simulated: they exist in records only, and the process has none",
  nvidia: "passed on to the process",
} as const;

const NETWORK_TEXTS: Readonly<Record<string, string>> = {
  namespaces: "HTTP and HTTPS to public addresses",
  process: "that of the node",
};

const Isolation = ({ pod: { runtime } }: { pod: Pod }) => (
  <Section title="Isolation" description="What separates its process from other pods and from the node.">
    {runtime === null ? (
      <p className="text-muted-foreground text-sm">Its process has not run yet.</p>
    ) : (
      <Facts>
        <Fact name="Runtime">{runtime.kind}</Fact>
        <Fact name="CPU and memory limits">{runtime.limits_enforced ? "enforced" : "not enforced on this node"}</Fact>
        <Fact name="Separated by" className="sm:col-span-2">
          {runtime.isolation}
        </Fact>
        <Fact name="Network">{NETWORK_TEXTS[runtime.kind] ?? "none"}</Fact>
        <Fact name="GPUs">{GPU_TEXTS[runtime.gpu]}</Fact>
      </Facts>
    )}
  </Section>
);

function Environment({ pod: { env } }: { pod: Pod }) {
  const entries = Object.entries(env);
  return (
    <Section title="Environment variables" description="Values of secrets are never shown.">
      {entries.length === 0 ? (
        <p className="text-muted-foreground text-sm">None besides those of the image.</p>
      ) : (
        <Facts>
          {entries.map(([name, value]) => (
            <Fact key={name} name={name}>
              {typeof value === "string" ? (
                <span className="whitespace-pre-wrap break-all font-mono text-xs">{value || "(empty)"}</span>
              ) : (
                `secret ${value.secret}`
              )}
            </Fact>
          ))}
        </Facts>
      )}
    </Section>
  );
}
