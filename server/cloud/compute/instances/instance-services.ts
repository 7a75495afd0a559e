/** The services whose resources are instances, with the word that `gpuc_instances_list` has for them. */
export const INSTANCE_SERVICES = ["gpu", "cpu", "baremetal"] as const;
