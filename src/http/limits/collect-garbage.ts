/**
 * Collects what large answers leave in memory. V8 by itself would wait until it is 150 MB, because its heap has room for
 * them, and the process would keep that memory.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bytes of large answers after which their garbage is collected; it takes some 20 ms, and serialising these 500. */
const bytesBetween = 32 * 1024 ** 2

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Returns a function that counts the bytes of large answers, and collects garbage when they are many. */
export function openCollector(): (bytes: number) => void {
  let since = 0
  return bytes => {
    since += bytes
    if (since < bytesBetween) return
    since = 0
    setImmediate(collect)
  }
}
