import { CodeBlock } from "../../components/ui/code-block";
import { Code, DocsSection } from "../docs-text";

const PERMISSIONS = `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: svc, namespace: svc }
rules:
  - { apiGroups: [""], resources: [pods], verbs: [create, get, list, watch, patch, delete] }
  - { apiGroups: [""], resources: [pods/log], verbs: [get] }
  - { apiGroups: [""], resources: [pods/exec], verbs: [get, create] }
  - { apiGroups: [""], resources: [secrets], verbs: [create, list, patch, delete] }
  - { apiGroups: [""], resources: [persistentvolumeclaims], verbs: [create, list, patch, delete] }
  - { apiGroups: [networking.k8s.io], resources: [networkpolicies], verbs: [create, patch] }`;

export const Kubernetes = () => (
  <DocsSection id="kubernetes" title="On a Kubernetes cluster">
    <p>
      With <Code>KUBECONFIG</Code>, or in a pod whose service account has the Role below, svc runs each pod as a pod of
      the cluster (Kubernetes 1.30 or newer) in <Code>KUBERNETES_NAMESPACE</Code>. This has not yet been run on a
      cluster: its manifests are checked against Kubernetes&apos; published schemas, and its calls against a double of
      the API server. At the start svc runs a small pod; if that fails, or if it reaches the API server in spite of a
      NetworkPolicy, the next runtime is tried.
    </p>
    <CodeBlock label="Permissions" code={PERMISSIONS} />
    <p>
      A stopped pod is deleted with its grace: the first process gets the stop signal of the image, the processes that
      it has started get SIGTERM, and the finalizer <Code>svc/keep</Code> keeps the object until svc has recorded its
      end and removes it. Notices are written at once by svc&apos;s own container in the pod,{" "}
      <Code>KUBERNETES_AGENT_IMAGE</Code>, which shares the processes of the pod; root in the pod can change its own
      notices. Files cannot be kept: there are no checkpoints, and each run starts with the files of the image. A volume
      is a PersistentVolumeClaim of the default storage class, which decides whether its size is enforced; it stays in
      the cluster, and without the permissions for claims pods have no volumes. Output is what the kubelet keeps, by
      default 10 MiB. GPUs of the cluster are not offered, and the number of processes is a setting of the nodes. A
      program of <Code>exec</Code> that is ended early loses its connection, but may run until the pod ends. An exit
      code above 128 is read as a signal.
    </p>
    <p>
      The nodes pull images themselves and always request the manifest from the registry, but their container runtime
      finds layers that it has by digest, wherever they came from. A tenant who knows the digests of another&apos;s
      private image and has a registry of its own can so start a pod with its layers on the same node. Give tenants who
      do not trust each other nodes of their own, or use another runtime.
    </p>
  </DocsSection>
);
