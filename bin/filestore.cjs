#!/usr/bin/env node
// libuv reads the size of its thread pool once, so set it before any module loads. SQLite, files and hashing share it.
process.env.UV_THREADPOOL_SIZE ??= '8'
void import('../dist/main.js')
