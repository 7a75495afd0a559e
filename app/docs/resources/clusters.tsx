import { DocsCode } from "../docs-code";
import { Code, Definitions, DocsLink, DocsSection } from "../docs-text";

/** Kubernetes clusters and Slurm. */
export const Clusters = () => (
  <DocsSection id="clusters" title="Kubernetes clusters and Slurm">
    <p>
      A resource of <Code>cks</Code> of the kind <Code>cluster</Code> is a namespace of its own in the Kubernetes of the
      installation, with a quota, default limits, the Pod Security level <Code>baseline</Code>, a network policy with
      which its pods reach each other and their DNS alone, and an account that can use this namespace only.{" "}
      <Code>POST /v1/clusters/&lt;rid&gt;/kubeconfig</Code> makes a kubeconfig; its token works for an hour, or{" "}
      <Code>expires_in_seconds</Code>, and is not stored.
    </p>
    <DocsCode label="Shell" code={KUBECTL} language="bash" />
    <Definitions label="Fields of a cluster" rows={CLUSTER_FIELDS} />
    <p>
      A tenant cannot change roles, quotas or network policies of a cluster, and there are no services with addresses of
      nodes or load balancers, with <Code>externalIPs</Code>, no secrets with tokens that never end, and no pods of the
      system&apos;s priority classes or with a <Code>nodeName</Code>: a policy for admission rejects them. While the
      service is deactivated, the account and with it every token is gone, and so are the pods; other objects stay.
      Deleting a cluster deletes its node groups and its Slurm first, then the namespace with all that is in it.
    </p>
    <p>
      A <Code>node_group</Code> is capacity: the quota of its cluster grows by the cores, memory and GPUs of its nodes,
      and its GPUs count against the GPU limits of the tenant, unless they are spot. With a test key the GPUs are
      simulated, and the quota has none. Nodes are those of the Kubernetes, which all clusters share: they do not get
      the <Code>labels</Code> and <Code>taints</Code> of a group, which are in a ConfigMap of the cluster, and a quota
      is no promise that a node is free. The quota counts GPUs of all models together; a pod chooses a model with a node
      selector such as <Code>nvidia.com/gpu.product</Code>. Node groups are not metered and have no price yet.
    </p>
    <Definitions label="Fields of a node group" rows={GROUP_FIELDS} />
    <p>
      A resource of <Code>sunk</Code> is Slurm for a cluster: a <DocsLink href="/docs/pods">pod</DocsLink> of svc,
      metered as such, with the controller and a process for each node. It has a partition for each node group that the
      cluster has when it is installed; install another one after a change. The pod needs no Kubernetes, so it works for
      a placeholder of a cluster too. All nodes share the cores of the pod, at most 16 nodes run, and jobs run as the
      pod&apos;s root user. With a test key jobs can request GPUs, such as <Code>--gres=gpu:h100:2</Code>, and receive{" "}
      <Code>CUDA_VISIBLE_DEVICES</Code>, but no device; with a live key there are none. The queue of jobs is among the
      files of the pod: it is there again when the service was deactivated and activated.
    </p>
    <DocsCode label="Shell" code={SLURM} language="bash" />
    <Definitions label="Fields of Slurm" rows={SLURM_FIELDS} />
    <p>
      Clusters have not yet been run on a real Kubernetes: their manifests are checked against Kubernetes&apos;
      published schemas, and their calls and <Code>kubectl</Code> against a double of its API, which has no roles,
      quotas or network policies. Slurm is version 22.05 of Debian 12, and was run with jobs of several nodes in one
      pod. Operators find what svc needs with <DocsLink href="/docs/pods#kubernetes">Kubernetes</DocsLink> and below.
    </p>
    <Definitions label="What the operator provides" rows={OPERATOR} />
  </DocsSection>
);

const KUBECTL = `svc resources create --service cks --name prod
svc clusters kubeconfig res_… --json | jq -r .kubeconfig > kubeconfig.json
kubectl --kubeconfig kubeconfig.json get pods`;

const SLURM = `svc pods exec pod_… -- sinfo
svc pods exec pod_… -- srun --nodes=2 hostname
svc pods exec pod_… -- sbatch --wrap 'python3 train.py'`;

const CLUSTER_FIELDS = [
  ["version", "Such as 1.34. Default, and only choice: that of the Kubernetes of the installation"],
  ["subnets", "Ids of resources of the service net, checked and kept; pods of a cluster are not in them"],
  ["ami_type", "The image of nodes that you expect; it is kept, and changes nothing"],
  ["tags", "Names and values of your own"],
] as const;

const GROUP_FIELDS = [
  ["cluster_id", "The cluster; it stays"],
  ["sku", "The GPUs of each node: H100, H200, B200, B300, A100 or L40S; it stays"],
  ["desired_size", "How many nodes, default 1; a PATCH changes it between min_size and max_size"],
  ["min_size, max_size", "0 to 64, default 0 and 64"],
  ["purchase_option", "on_demand or spot; reserved_1y and reserved_3y are placeholders"],
  ["labels, taints", "With the syntax of Kubernetes"],
  ["region", "Whose GPU limit counts, default use"],
] as const;

const SLURM_FIELDS = [
  ["cluster_id", "The cluster, or its placeholder"],
  ["image", "An image with Slurm and munge; default: the Debian packages of the node that runs the pod"],
  ["cpu, memory_mb", "Of the pod, default 2 and 1024"],
] as const;

const OPERATOR = [
  [
    "For clusters",
    "RUNTIME=kubernetes or auto with KUBECONFIG, and a ClusterRole for namespaces, serviceaccounts, serviceaccounts/token, resourcequotas, limitranges, configmaps, pods (deletecollection), networkpolicies, rolebindings, validatingadmissionpolicies, validatingadmissionpolicybindings, and roles with the verbs escalate and bind",
  ],
  [
    "In the Kubernetes",
    "Kubernetes 1.30 or later, and a network plugin that enforces NetworkPolicy. svc applies a ValidatingAdmissionPolicy, svc-clusters, to the namespaces of clusters",
  ],
  ["For Slurm", "The packages slurmctld, slurmd, slurm-client and munge on the node with the runtime namespaces"],
] as const;
