/** Where `user_data` leaves that it ran, among the files that stay from start to start. */
const STATE_FOLDER = "/var/lib/svc-instance";
const VARIABLE = "SVC_USER_DATA";

/** Runs `user_data` once, with its output in the logs, and then waits, ending at once when it is to stop. */
const SCRIPT = `trap 'exit 0' TERM INT
if [ -n "$${VARIABLE}" ] && [ ! -e ${STATE_FOLDER}/started ]; then
  mkdir -p ${STATE_FOLDER}
  : > ${STATE_FOLDER}/started
  printf '%s\\n' "$${VARIABLE}" > ${STATE_FOLDER}/user-data
  case "$${VARIABLE}" in
    '#!'*) chmod 700 ${STATE_FOLDER}/user-data && ${STATE_FOLDER}/user-data & ;;
    *) /bin/sh ${STATE_FOLDER}/user-data & ;;
  esac
fi
unset ${VARIABLE}
while :; do sleep 86400 & wait $!; done`;

/** The first process of an instance, and what it receives. */
export const instanceProgram = (userData: string): { command: string[]; env: Record<string, string> } => ({
  command: ["/bin/sh", "-c", SCRIPT],
  env: userData === "" ? {} : { [VARIABLE]: userData },
});
