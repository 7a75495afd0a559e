export const COMMAND_LINE = `svc activations create --service cpu --plan-tier starter
svc resources create --service cpu --name batch --spec '{"sku":"Genoa","image_id":"alpine-3"}'
svc instances list
svc instances stop res_…
svc instances start res_…
svc resources usage --since-days 7
svc resources delete res_…
svc activations delete cpu`;

export const TOOL = `{
  "name": "gpuc_gpu_create",
  "arguments": {
    "name": "notebook",
    "sku": "H100",
    "image_id": "pytorch-2",
    "purchase_option": "spot",
    "tags": { "team": "research" }
  }
}`;

export const USER_DATA = `{
  "service": "cpu",
  "name": "etl",
  "spec": {
    "sku": "Turin",
    "image_id": "python-3.12",
    "cpu": 4,
    "memory_mb": 8192,
    "user_data": "pip install duckdb && python3 -c 'import duckdb; print(duckdb.__version__)'"
  }
}`;

export const CONVERSION = `{
  "service": "tensorizer",
  "name": "llama-half",
  "spec": {
    "source_model": "s3://models/llama/model.safetensors",
    "target_uri": "s3://models/llama-bf16/",
    "dtype": "bf16",
    "shards": 4
  }
}`;

export const LIMITS = [
  [
    "Resources",
    "10, 100 or 1,000 of a service in each mode, by plan tier; 10,000 per tenant in all, which your operator can raise",
  ],
  ["Placeholders", "200 per tenant in each mode"],
  ["Names", "100 characters, unique in a project, mode and service"],
  ["CPU and memory", "Of an instance: 1 to 256 cores, default 2; 64 MiB to 4 TiB, default 2 GiB"],
  ["user_data", "16 KiB"],
  ["tags", "As labels of pods: names of 63 characters, values of 255"],
  ["Waiting", "A request waits 5 seconds until a resource is ready or gone; the work continues after the response"],
  ["Usage", "The last 92 days, 1,000 rows"],
] as const;
