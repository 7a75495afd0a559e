export const COMMAND_LINE = `svc pods create --image alpine:3 --name hello --command /bin/echo,Hello --watch
svc pods list
svc pods watch pod_…
svc pods logs pod_… --follow
svc pods stop pod_…
svc pods start pod_…
svc pods delete pod_…`;

export const PORTS = `svc pods create --image python:3.12 --name web --port 8080 \\
  --command python,-m,http.server,8080
curl "$SVC/v1/pods/pod_…/ports/8080/" -H "Authorization: Bearer $KEY"`;

export const VOLUME = `svc pods create --image alpine:3 --volume '{"size_gb":50}' --command /bin/df,/workspace`;

export const TRAP = `#!/bin/sh
# SIGTERM arrives 30 seconds before SIGKILL. The first process of a pod ignores signals that it does not handle.
trap 'cp /work/state /work/state.saved; exit 0' TERM
./train &
wait`;

export const CHECKPOINTS = `svc pods checkpoint pod_…
svc pod-checkpoints list pod_…
svc pods start pod_… --from checkpoint --checkpoint-id ckp_…`;

export const ESTIMATE = `svc pods estimate --gpu h100 --gpu-count 8 --cpu 64 --memory-mb 262144
svc pods estimate --gpu h100 --gpu-count 8 --gang '{ "name": "llama", "size": 4 }'`;

export const GANG = `for rank in 0 1 2 3; do
  svc pods create --image ghcr.io/example/train:2 --gpu h100 --gpu-count 8 \\
    --gang '{ "name": "llama", "size": 4 }' --env "{ \\"RANK\\": \\"$rank\\" }"
done`;

export const PRIVATE_IMAGE = `{
  "image": "ghcr.io/example/train:2",
  "registry_credentials": { "username": "example", "password": { "secret": "GHCR_TOKEN" } }
}`;

export const RECLAIM = `#!/bin/sh
# Continues where the run before ended, and saves its state when it receives SIGTERM.
step=0
[ -e /work/step ] && read step < /work/step
save() {
  echo "$step" > /work/step.new
  mv /work/step.new /work/step
  [ -e /run/svc/reclaim.json ] && echo "reclaimed at step $step"
  exit 0
}
trap save TERM
while :; do
  ./train --step "$step"
  step=$((step + 1))
done`;

export const LOCAL_REGISTRY = `docker build -t localhost:5000/train .
docker push localhost:5000/train
svc pods create --image localhost:5000/train`;

export const SECRET_ENV = `{ "image": "ghcr.io/example/train:2", "env": { "EPOCHS": "3", "HF_TOKEN": { "secret": "HF_TOKEN" } } }`;
