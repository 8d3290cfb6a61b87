#!/usr/bin/env node
// libuv reads its pool's size once, before any module is loaded: SQLite, files and hashing share these threads.
process.env.UV_THREADPOOL_SIZE ??= '8'
void import('../dist/main.js')
