// Each read, write and fsync of a file occupies one of libuv's 4 threads, so a few slow disk writes would delay every
// other one. It is a module of its own because Node starts the threads before the first line of an ES module runs.
process.env.UV_THREADPOOL_SIZE ??= "16";
